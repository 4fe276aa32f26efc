import Foundation
import Logging
import Postgres

/// Whether the database keeps what it acknowledged, and whether a pooler before it leaves what Dayly needs.
struct DatabaseFitness: Sendable {
    let client: PostgresClient
    let configuration: ServerConfiguration
    let logger: Logger

    // MARK: Durability

    /// Names each setting of the server that lets a crash lose or damage what was committed. `synchronous_commit` is
    /// not among them: Dayly's own sessions switch it on.
    func durability() async throws -> [Finding] {
        let row = try await client.first(
            """
            SELECT current_setting('fsync')::boolean AS flushes,
                   current_setting('full_page_writes')::boolean AS keeps_pages
            """)
        var findings: [Finding] = []
        if try row?.get("flushes", as: Bool.self) == false {
            findings.append(
                fault(
                    "fsync",
                    "loses photos, deletions and blocks that were acknowledged, or the whole database"))
        }
        if try row?.get("keeps_pages", as: Bool.self) == false {
            findings.append(fault("full_page_writes", "damages the pages that were being written"))
        }
        return findings
    }

    /// On a developer's machine a fast database that does not survive a power cut is a choice.
    private func fault(_ setting: String, _ consequence: String) -> Finding {
        let message = "\(setting) is off: a crash of its machine \(consequence)"
        let remedy =
            "Set \(setting) = on in postgresql.conf, and reload the server (SELECT pg_reload_conf())."
        return configuration.environment == .development
            ? .warning("database", message, remedy: remedy) : .problem("database", message, remedy: remedy)
    }

    // MARK: Poolers

    /// Reports a pooler between Dayly and the server, where there is one.
    func pooler() async throws -> [Finding] {
        let pooling = try await client.pooling()
        if let failure = try await failure(behind: pooling) {
            return [.problem("database", Self.lowercased(failure.reason), remedy: failure.remedy)]
        }
        switch pooling {
        case .none: return []
        case .session: return [.ok("database", "behind a pooler in session mode")]
        case .transaction:
            return [
                .ok("database", "behind a pooler in transaction mode, with database.direct_url beside it")
            ]
        }
    }

    /// Refuses a pooler in transaction mode without another way to the server: a notification would never come, and
    /// a migration's lock would protect nothing.
    ///
    /// - Throws: `ServeFailure`.
    func requireSessions() async throws {
        do {
            if let failure = try await failure(behind: try await client.pooling()) { throw failure }
        } catch let error as PostgresError {
            throw ServeFailure.database(FailureText.of(error))
        }
    }

    private func failure(behind pooling: Pooling) async throws -> ServeFailure? {
        guard configuration.database.directURL != nil else {
            return pooling == .transaction ? .noDirectURL : nil
        }
        let direct = Connections.direct(configuration, logger: logger)
        do {
            let found = try await failure(of: direct)
            await direct.close()
            return found
        } catch {
            await direct.close()
            guard let error = error as? PostgresError else { throw error }
            return .directURL(error)
        }
    }

    private func failure(of direct: PostgresClient) async throws -> ServeFailure? {
        if try await direct.pooling() == .transaction { return .pooledDirectURL }
        let name: SQL =
            "SELECT system_identifier || '/' || current_database() AS name FROM pg_control_system()"
        // Where the role may not ask, the two are taken to be the same.
        let (one, other) = (try? await client.first(name), try? await direct.first(name))
        guard let one, let other else { return nil }
        return try one.get("name", as: String.self) == other.get("name") ? nil : .otherDirectDatabase
    }

    private static func lowercased(_ sentence: String) -> String {
        String(sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...])
    }
}

extension ServeFailure {
    private static let wayToServer =
        "Set database.direct_url (DAYLY_DATABASE_DIRECT_URL) to the URL of PostgreSQL itself, or of the pooler's port "
        + "for sessions: LISTEN and migrations go there, everything else by database.url."

    static let noDirectURL = ServeFailure(
        reason:
            "database.url leads through a pooler in transaction mode, and database.direct_url is missing.",
        remedy: wayToServer)

    static let pooledDirectURL = ServeFailure(
        reason: "database.direct_url leads through a pooler in transaction mode.", remedy: wayToServer)

    static let otherDirectDatabase = ServeFailure(
        reason: "database.direct_url and database.url lead to different databases.",
        remedy: "Let both name the same database of the same server.")

    static func directURL(_ error: PostgresError) -> ServeFailure {
        let finding = DatabaseChecks.finding(error)
        return ServeFailure(
            reason: "The database cannot be used by database.direct_url: \(finding.message)",
            remedy: finding.remedy ?? "")
    }
}
