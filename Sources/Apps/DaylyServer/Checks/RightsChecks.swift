import Logging
import Postgres

/// Whether the database's role may do what the service does: read and write every table, and own them for migrations.
struct RightsChecks: Sendable {
    let configuration: ServerConfiguration
    let logger: Logger

    /// - Returns: nothing where the database cannot be asked; `DatabaseChecks` says why.
    func findings() async -> [Finding] {
        let client = Connections.database(configuration, maxConnections: 1, logger: logger)
        let store = RightsStore(client: client)
        do {
            let role = try await store.role()
            let findings =
                role.schema == nil ? [Self.noSchema(role)] : Self.findings(role, try await store.gaps())
            await client.close()
            return findings
        } catch {
            await client.close()
            guard let error = error as? PostgresError, error.sqlState != nil else { return [] }
            return [
                .problem(
                    "database role", "its rights cannot be looked up: \(FailureText.of(error))",
                    remedy: "Let the role read pg_catalog, as every role may by default.")
            ]
        }
    }

    private static func noSchema(_ role: RightsStore.Role) -> Finding {
        .problem(
            "database role", "\(role.name) may not use any schema of its search_path",
            remedy: "GRANT USAGE, CREATE ON SCHEMA public TO \(role.name);")
    }

    static func findings(_ role: RightsStore.Role, _ gaps: [RightsStore.Gap]) -> [Finding] {
        let schema = role.schema ?? "public"
        var found = gaps.filter { !$0.missing.isEmpty }.map { gap in
            Finding.problem(
                "database role", "\(role.name) has no right to \(gap.missing) on \(gap.name)",
                remedy: "As the owner: GRANT \(gap.missing) ON \(object(gap, schema)) TO \(role.name);")
        }
        let foreign = gaps.filter { !$0.isOwned }.map(\.name)
        if !foreign.isEmpty || !role.mayCreate {
            let reason =
                foreign.isEmpty
                ? "may not create anything in the schema \(schema)"
                : "does not own \(foreign.prefix(3).joined(separator: ", "))"
                    + (foreign.count > 3 ? " and \(foreign.count - 3) more" : "")
            found.append(
                .warning(
                    "database role", "\(role.name) \(reason), which `dayly migrate` needs",
                    remedy: "Migrate as a role that owns the schema, or make \(role.name) the owner."))
        }
        return found.isEmpty ? [.ok("database role", "\(role.name) may do all that is needed")] : found
    }

    /// `table photos` → `TABLE public.photos`.
    private static func object(_ gap: RightsStore.Gap, _ schema: String) -> String {
        let parts = gap.name.split(separator: " ", maxSplits: 1)
        return "\(parts[0].uppercased()) \(schema).\(parts.last ?? "")"
    }
}
