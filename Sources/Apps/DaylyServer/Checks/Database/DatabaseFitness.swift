import Auth
import CommandKit
import Foundation
import Logging
import Postgres

/// Whether the database is durable and knows the time zones of phones, and whether a pooler in front of it supports LISTEN
/// and session locks.
struct DatabaseFitness: Sendable {
    let client: PostgresClient
    let configuration: ServerConfiguration
    let logger: Logger

    // MARK: Durability

    /// Finds settings of the server under which a crash loses or damages committed data. `synchronous_commit` is not one
    /// of them, because Dayly's own sessions switch it on.
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
                    "loses acknowledged photos, deletions and blocks, or the whole database"))
        }
        if try row?.get("keeps_pages", as: Bool.self) == false {
            findings.append(fault("full_page_writes", "damages the pages that it was writing"))
        }
        return findings
    }

    /// A warning only in development, where a developer may choose speed over durability.
    private func fault(_ setting: String, _ consequence: String) -> Finding {
        let message = "\(setting) is off: a crash of its machine \(consequence)"
        let remedy =
            "Set \(setting) = on in postgresql.conf, and reload the server (SELECT pg_reload_conf())."
        return configuration.environment == .development
            ? .warning("database", message, remedy: remedy) : .problem("database", message, remedy: remedy)
    }

    // MARK: Time zones

    /// Finds zones of users that PostgreSQL does not know: it refuses every statement that names one.
    func zones() async throws -> [Finding] {
        let users = try await client.first("SELECT to_regclass('users') IS NOT NULL AS exist")
        guard try users?.get("exist") == true else { return [] }
        return try await ZoneRepair(postgres: client, logger: logger).unknownZones().map { name in
            .warning(
                "database", "PostgreSQL does not know the time zone \(name), which users have",
                remedy:
                    "Update the time zones of its machine (on Debian: apt install tzdata tzdata-legacy), and restart "
                    + "PostgreSQL. Otherwise `dayly serve` gives these users the nearest zone with a fixed offset."
            )
        }
    }

    // MARK: Writes

    /// PostgreSQL refuses writes, and still reads, when it runs out of transaction ids.
    static func requireWrites(_ client: PostgresClient) async throws {
        _ = try await client.first("SELECT pg_current_xact_id()::text AS id")
    }

    // MARK: Poolers

    /// Reports a pooler between Dayly and the server, where there is one.
    func pooler() async throws -> [Finding] {
        let pooling = try await client.pooling()
        if let failure = try await failure(behind: pooling) {
            return [.problem("database", failure)]
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

    /// Refuses a pooler in transaction mode without `database.direct_url`: LISTEN would never receive a signal, and the
    /// lock of a migration would not protect anything.
    ///
    /// - Throws: `CommandFailure`.
    func requireSessions() async throws {
        do {
            if let failure = try await failure(behind: try await client.pooling()) { throw failure }
        } catch let error as PostgresError {
            throw CommandFailure.database(error)
        }
    }

    private func failure(behind pooling: Pooling) async throws -> CommandFailure? {
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

    private func failure(of direct: PostgresClient) async throws -> CommandFailure? {
        if try await direct.pooling() == .transaction { return .pooledDirectURL }
        let name: SQL =
            "SELECT system_identifier || '/' || current_database() AS name FROM pg_control_system()"
        // If the role may not ask, assume that both URLs lead to the same database.
        let (one, other) = (try? await client.first(name), try? await direct.first(name))
        guard let one, let other else { return nil }
        return try one.get("name", as: String.self) == other.get("name") ? nil : .otherDirectDatabase
    }
}

extension CommandFailure {
    private static let wayToServer =
        "Set database.direct_url (DAYLY_DATABASE_DIRECT_URL) to the URL of PostgreSQL itself, or of the pooler's port "
        + "for sessions: LISTEN and migrations go there, everything else by database.url."

    static let noDirectURL = CommandFailure(
        reason:
            "database.url leads through a pooler in transaction mode, and database.direct_url is missing.",
        remedy: wayToServer)

    static let pooledDirectURL = CommandFailure(
        reason: "database.direct_url leads through a pooler in transaction mode.", remedy: wayToServer)

    static let otherDirectDatabase = CommandFailure(
        reason: "database.direct_url and database.url lead to different databases.",
        remedy: "Let both name the same database of the same server.")

    static func directURL(_ error: PostgresError) -> CommandFailure {
        let finding = DatabaseChecks.finding(error)
        return CommandFailure(
            reason: "The database cannot be used by database.direct_url: \(finding.message)",
            remedy: finding.remedy ?? "")
    }
}
