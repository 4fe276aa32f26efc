import Logging
import Postgres

/// Checks the rights of the database role: it must read and write every table, and own the tables for migrations.
struct RightsChecks: Sendable {
    let configuration: ServerConfiguration
    let logger: Logger

    /// - Returns: No finding if the database does not answer, which `DatabaseChecks` reports.
    func findings() async -> [Finding] {
        do {
            return try await configuration.withAnyDatabase(logger: logger) { client in
                let store = RightsStore(client: client)
                let role = try await store.role()
                return role.schema == nil
                    ? [Self.noSchema(role)] : Self.findings(role, try await store.gaps())
            }
        } catch {
            guard let error = error as? PostgresError, error.sqlState != nil else { return [] }
            return [
                .problem(
                    "database role", "its rights cannot be read: \(FailureText.of(error))",
                    remedy: "Let the role read pg_catalog, which every role may do by default.")
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
                    remedy: "Run migrations as a role that owns the schema, or make \(role.name) the owner."))
        }
        return found.isEmpty
            ? [.ok("database role", "\(role.name) has all rights that the service needs")] : found
    }

    /// `table photos` → `TABLE public.photos`.
    private static func object(_ gap: RightsStore.Gap, _ schema: String) -> String {
        let parts = gap.name.split(separator: " ", maxSplits: 1)
        return "\(parts[0].uppercased()) \(schema).\(parts.last ?? "")"
    }
}
