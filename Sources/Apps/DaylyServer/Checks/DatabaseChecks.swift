import Foundation
import Logging
import Postgres

/// The database: reachable, over a line that nobody listens on, new enough, migrated.
struct DatabaseChecks: Sendable {
    let configuration: ServerConfiguration
    let logger: Logger

    func run() async -> Examination {
        let client = Connections.database(configuration, maxConnections: 1, logger: logger)
        var examination = Examination(findings: [])
        do {
            let gate = try SchemaGate(client: client, migrationsPath: configuration.database.migrationsPath)
            examination.findings.append(version(try await gate.serverVersion()))
            examination.findings += try await line(client)
            let fitness = DatabaseFitness(client: client, configuration: configuration, logger: logger)
            examination.findings += try await fitness.durability() + fitness.pooler()
            examination.findings.append(migrations(try await gate.status()))
            examination.clock = try await ClockReading.take(resolution: 0) {
                try await client.first("SELECT now() AS now")?.get("now", as: Date.self)
            }
        } catch {
            examination.findings.append(Self.finding(error))
        }
        await client.close()
        return examination
    }

    private func version(_ number: Int) -> Finding {
        let version = "\(number / 10_000).\(number % 10_000)"
        return number >= SchemaGate.oldestServerVersion
            ? .ok("database", "reachable, PostgreSQL \(version)")
            : .problem("database", "is PostgreSQL \(version)", remedy: "Dayly needs version 15 or newer.")
    }

    private func migrations(_ status: MigrationStatus) -> Finding {
        if let failure = status.failure {
            return .problem("migrations", failure.reason, remedy: failure.remedy)
        }
        return .ok("migrations", status == .current ? "all applied" : "the database is newer, compatibly")
    }

    private func line(_ client: PostgresClient) async throws -> [Finding] {
        let row = try await client.first(
            """
            SELECT ssl, coalesce(host(inet_server_addr()), '') AS address
            FROM pg_stat_ssl WHERE pid = pg_backend_pid()
            """)
        guard let row else { return [] }
        return Self.line(
            isEncrypted: try row.get("ssl"), address: try row.get("address"), url: configuration.database.url)
    }

    /// - Parameter address: the server's, as the server sees it; empty for a socket.
    static func line(isEncrypted: Bool, address: String, url: String) -> [Finding] {
        if address.isEmpty || address == "::1" || address.hasPrefix("127.") { return [] }
        let remedy =
            "Add ?sslmode=verify-full&sslrootcert=FILE to database.url, FILE holding the authority that signed the "
            + "server's certificate."
        guard isEncrypted else {
            return [.warning("database", "everything goes to \(address) and back in clear", remedy: remedy)]
        }
        guard !url.contains("sslmode=verify-full") else { return [] }
        return [
            .warning(
                "database", "the line is encrypted, but nobody looks whether \(address) is who it should be",
                remedy: remedy)
        ]
    }

    static func finding(_ error: any Error) -> Finding {
        guard case PostgresError.unavailable(let reason) = error else {
            if let error = error as? MigrationError {
                let failure = ServeFailure(error)
                return .problem("migrations", failure.reason, remedy: failure.remedy)
            }
            return .problem("database", FailureText.of(error), remedy: remedies[0].remedy)
        }
        let remedy = remedies.first { reason.contains($0.sign) }?.remedy ?? remedies[0].remedy
        return .problem("database", "cannot be used: \(reason)", remedy: remedy)
    }

    private static let remedies: [(sign: String, remedy: String)] = [
        (
            "nothing listens",
            "See that PostgreSQL runs and that database.url (DAYLY_DATABASE_URL) names it."
        ),
        (
            "certificate was not accepted",
            "Let sslrootcert in database.url name the PEM file of the authority that signed the server's certificate, "
                + "and the host there be a name in that certificate."
        ),
        (
            "TLS with the database",
            "Switch TLS on at the server (ssl = on), or correct sslmode in database.url."
        ),
        ("user or password", "Correct user and password in database.url (DAYLY_DATABASE_URL)."),
        ("wants a password", "Give the password in database.url, or in a file that PGPASSFILE names."),
        ("refused the user", "Correct the user in database.url, or what pg_hba.conf asks of it."),
        (
            "pg_hba.conf",
            "Add a line for this user, database and address to pg_hba.conf, and reload the server."
        ),
        ("user does not exist", "Make the role: CREATE ROLE dayly LOGIN PASSWORD '…'."),
        (
            "takes no writes",
            "Let database.url name the primary; of several hosts (postgresql://user@one,other/dayly) it is found."
        ),
        ("database does not exist", "Make it: CREATE DATABASE dayly OWNER dayly."),
        ("host name is unknown", "Correct the host in database.url (DAYLY_DATABASE_URL)."),
        ("no connection left", "Raise max_connections at the server, or lower database.max_connections."),
        ("URL is not valid", "Write it as postgresql://user:password@host:5432/dayly, percent-encoded."),
    ]
}
