import CommandKit
import Foundation
import Logging
import Postgres

/// The database: reachable, over an encrypted connection, new enough, durable and migrated.
struct DatabaseChecks: Sendable {
    let configuration: ServerConfiguration
    let logger: Logger

    func run() async -> Examination {
        var examination = Examination(findings: [])
        do {
            try await configuration.withAnyDatabase(logger: logger) { try await examine($0, &examination) }
        } catch {
            examination.findings.append(Self.finding(error))
        }
        return examination
    }

    private func examine(_ client: PostgresClient, _ examination: inout Examination) async throws {
        let gate = try SchemaGate(client: client, migrationsPath: configuration.database.migrationsPath)
        examination.findings.append(version(try await gate.serverVersion()))
        examination.findings += try await encryption(client)
        examination.findings += try await LocaleChecks(client: client).findings()
        examination.findings += await writes(client)
        let fitness = DatabaseFitness(client: client, configuration: configuration, logger: logger)
        examination.findings += try await fitness.durability() + fitness.zones() + fitness.pooler()
        examination.findings += try await ReplicationChecks(configuration: configuration).findings(client)
        examination.findings.append(migrations(try await gate.status()))
        examination.findings += try await BackupChecks(configuration: configuration).findings(client)
        examination.clock = try await ClockReading.take(resolution: 0) {
            try await client.first("SELECT now() AS now")?.get("now", as: Date.self)
        }
    }

    private func version(_ number: Int) -> Finding {
        let version = "\(number / 10_000).\(number % 10_000)"
        return number >= SchemaGate.oldestServerVersion
            ? .ok("database", "reachable, PostgreSQL \(version)")
            : .problem("database", "is PostgreSQL \(version)", remedy: "Dayly needs version 15 or newer.")
    }

    private func writes(_ client: PostgresClient) async -> [Finding] {
        do {
            try await DatabaseFitness.requireWrites(client)
            return []
        } catch {
            return [Self.finding(error)]
        }
    }

    private func migrations(_ status: MigrationStatus) -> Finding {
        if let failure = status.failure {
            return .problem("migrations", failure.reason, remedy: failure.remedy)
        }
        return .ok("migrations", status == .current ? "all applied" : "the database is newer, compatibly")
    }

    private func encryption(_ client: PostgresClient) async throws -> [Finding] {
        let row = try await client.first(
            """
            SELECT ssl, coalesce(host(inet_server_addr()), '') AS address
            FROM pg_stat_ssl WHERE pid = pg_backend_pid()
            """)
        guard let row else { return [] }
        return Self.encryption(
            isEncrypted: try row.get("ssl"), address: try row.get("address"), url: configuration.database.url)
    }

    /// - Parameter address: The server's own view of its address; empty for a Unix socket.
    static func encryption(isEncrypted: Bool, address: String, url: String) -> [Finding] {
        if address.isEmpty || address == "::1" || address.hasPrefix("127.") { return [] }
        let remedy =
            "Add ?sslmode=verify-full&sslrootcert=FILE to database.url, where FILE contains the authority that signed "
            + "the server's certificate."
        guard isEncrypted else {
            return [.warning("database", "the connection to \(address) is not encrypted", remedy: remedy)]
        }
        guard !url.contains("sslmode=verify-full") else { return [] }
        return [
            .warning(
                "database", "the connection is encrypted, but nothing verifies the identity of \(address)",
                remedy: remedy)
        ]
    }

    static func finding(_ error: any Error) -> Finding {
        switch error {
        case PostgresError.unavailable(let reason):
            return .problem("database", "cannot be used: \(reason)", remedy: remedy(reason))
        case let error as MigrationError:
            let failure = CommandFailure(error)
            return .problem("migrations", failure.reason, remedy: failure.remedy)
        case PostgresError.server(let report):
            return .problem("database", FailureText.of(error), remedy: remedy(sqlState: report.sqlState))
        default:
            return .problem("database", FailureText.of(error), remedy: checkServer)
        }
    }

    private static func remedy(lacking state: String) -> String {
        switch state {
        case "53100":
            "Make room on the disk of the database's machine: for its data, its write-ahead log and temporary files."
        case "53300": "Raise max_connections at the server, or lower database.max_connections."
        case "53400": "Raise the limit that PostgreSQL's log names, such as temp_file_limit."
        default: "Give the database's machine more memory, or lower work_mem and max_connections."
        }
    }

    private static let checkServer =
        "Check that PostgreSQL runs and that database.url (DAYLY_DATABASE_URL) names it."

    private static func remedy(sqlState: String) -> String {
        switch sqlState.prefix(2) {
        case "54":
            "End old transactions, prepared transactions and replication slots, and run VACUUM in every database of the "
                + "server as a superuser. docs/runbook.md says how."
        case "58", "XX":
            "Look at PostgreSQL's log and at the disk of its machine. Make a copy of the data before anything else; a "
                + "backup may be needed."
        case "42":
            "Grant the missing right to the role of database.url, or run `dayly migrate`."
        default: checkServer
        }
    }

    private static func remedy(_ reason: Unavailability) -> String {
        if case .lacksResources(let state) = reason { return remedy(lacking: state) }
        guard case .connecting(let failure) = reason else { return checkServer }
        return switch failure {
        case .nothingListens, .noSocket, .timedOut, .noRoute, .closedByServer, .startingUp, .shuttingDown,
            .recovering, .other:
            checkServer
        case .wrongPassword: "Correct user and password in database.url (DAYLY_DATABASE_URL)."
        case .noPassword: "Give the password in database.url, or in a file that PGPASSFILE names."
        case .noHBAEntry:
            "Add a line for this user, database and address to pg_hba.conf, and reload the server."
        case .authenticationFailed:
            "Correct the user in database.url, or what pg_hba.conf asks of that user."
        case .tooManyConnections:
            "Raise max_connections at the server, or lower database.max_connections."
        case .unknownUser: "Create the role: CREATE ROLE dayly LOGIN PASSWORD '…'."
        case .noConnectRight: "Allow it: GRANT CONNECT ON DATABASE dayly TO dayly."
        case .unknownDatabase: "Create it: CREATE DATABASE dayly OWNER dayly."
        case .unknownHost:
            "Correct the host in database.url (DAYLY_DATABASE_URL), and percent-encode an @, a / or a : in the password."
        case .certificateNotAccepted:
            "Renew it where it has expired. Otherwise let sslrootcert in database.url name the PEM file of the authority that signed the server's "
                + "certificate, and let the host there be a name in that certificate."
        case .noTLSAgreement:
            "Switch TLS on at the server (ssl = on), or correct sslmode in database.url."
        case .takesNoWrites:
            "Let database.url name the primary. Dayly finds the primary among several hosts: "
                + "postgresql://user@one,other/dayly."
        case .invalidURL:
            "Write the URL as postgresql://user:password@host:5432/dayly, percent-encoded."
        }
    }
}
