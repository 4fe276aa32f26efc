import Foundation
import Logging
import Postgres

/// A database of its own for one test, made from a migrated template.
package struct TestDatabase: Sendable {
    package let url: String
    package let client: PostgresClient

    /// Nil when the test has the whole server for itself.
    private let name: String?

    /// - Parameter hasClock: whether a `TestClock` sets the database's time.
    package static func make(hasClock: Bool = false) async throws -> TestDatabase {
        await DatabaseSlots.shared.acquire()
        do {
            let server = try await DatabaseServer.shared.value
            let template = hasClock ? try await DatabaseServer.clockTemplate.value : server.template
            let name = "dayly_test_\(Int(Date().timeIntervalSince1970))_\(UUID().uuidString.prefix(8))"
            try await server.admin.execute(
                """
                CREATE DATABASE \(identifier: name) TEMPLATE \(identifier: template) \
                STRATEGY file_copy
                """)
            // A copy of a database does not get its settings.
            if hasClock { try await server.admin.execute(TestClock.setting(of: name)) }
            let url = DatabaseServer.url(server.url, database: name)
            return TestDatabase(url: url, client: DatabaseServer.client(url: url), name: name)
        } catch {
            await DatabaseSlots.shared.release()
            throw error
        }
    }

    /// Migrates the database of a server that the test has for itself.
    package static func make(on url: String) async throws -> TestDatabase {
        let client = DatabaseServer.client(url: url)
        do {
            let migrations = try Migration.load(from: DatabaseServer.migrationsDirectory)
            try await Migrator(client: client, migrations: migrations).migrate()
            return TestDatabase(url: url, client: client, name: nil)
        } catch {
            await client.close()
            throw error
        }
    }

    /// A database that somebody else has migrated and keeps.
    package static func visited(on url: String) -> TestDatabase {
        TestDatabase(url: url, client: DatabaseServer.client(url: url), name: nil)
    }

    /// Closes the client and drops the database, even while other clients are connected.
    package func drop() async {
        await client.close()
        guard let name else { return }
        if let server = try? await DatabaseServer.shared.value {
            _ = try? await server.admin.execute("DROP DATABASE IF EXISTS \(identifier: name) WITH (FORCE)")
        }
        await DatabaseSlots.shared.release()
    }
}

/// Runs `body` on a migrated database of its own, and drops it.
package func withTestDatabase<Value>(
    hasClock: Bool = false, _ body: (TestDatabase) async throws -> Value
) async throws -> Value {
    let database = try await TestDatabase.make(hasClock: hasClock)
    do {
        let value = try await body(database)
        await database.drop()
        return value
    } catch {
        await database.drop()
        throw error
    }
}

/// The same with the database's client alone.
package func withDatabase<Value>(_ body: (PostgresClient) async throws -> Value) async throws -> Value {
    try await withTestDatabase { try await body($0.client) }
}

/// The server that tests run on, and the template that their databases are copied from.
package struct DatabaseServer: Sendable {
    /// The superuser's URL.
    package let url: String
    let admin: PostgresClient
    let template: String

    /// Started at first use, once per process.
    package static let shared = Task { try await DatabaseServer.prepare() }

    /// The template with a `TestClock`'s time, made at first use.
    static let clockTemplate = Task {
        let server = try await shared.value
        let migrations = try Migration.load(from: migrationsDirectory)
        let stamp = Migration.checksum(of: migrations + [TestClock.schema]).prefix(16)
        try await makeTemplate(
            "dayly_clock_template_\(stamp)", migrations, url: server.url, hasClock: true)
        return "dayly_clock_template_\(stamp)"
    }

    package enum Failure: Error, CustomStringConvertible {
        case noServer

        package var description: String {
            """
            DAYLY_TEST_DATABASE_URL names no PostgreSQL server to test on: run scripts/test, which starts one, \
            or set it to the URL of a superuser
            """
        }
    }

    /// The repository's `migrations/`.
    package static let migrationsDirectory = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("migrations")

    /// The same server's URL for another database.
    package static func url(_ url: String, database: String) -> String {
        let query = url.firstIndex(of: "?") ?? url.endIndex
        let authority = url.range(of: "://")?.upperBound ?? url.startIndex
        let slash = url[authority..<query].lastIndex(of: "/") ?? query
        return "\(url[..<slash])/\(database)\(url[query...])"
    }

    /// A small pool, so that many tests at once do not use up the server.
    static func client(url: String) -> PostgresClient {
        var configuration = PostgresConfiguration(url: url)
        configuration.maxConnections = 6
        configuration.acquireTimeout = .seconds(30)
        return PostgresClient(configuration: configuration, logger: Logger(label: "postgres"))
    }

    private static func prepare() async throws -> DatabaseServer {
        guard let url = ProcessInfo.processInfo.environment["DAYLY_TEST_DATABASE_URL"], !url.isEmpty else {
            throw Failure.noServer
        }
        let migrations = try Migration.load(from: migrationsDirectory)
        let template = "dayly_template_\(Migration.checksum(of: migrations).prefix(16))"
        try await makeTemplate(template, migrations, url: url)
        var configuration = PostgresConfiguration(url: url)
        configuration.maxConnections = 4
        configuration.acquireTimeout = .seconds(60)
        configuration.statementTimeout = .seconds(60)
        let admin = PostgresClient(configuration: configuration, logger: Logger(label: "postgres"))
        return DatabaseServer(url: url, admin: admin, template: template)
    }

    /// Makes the template once; the first process does. The lock belongs to the session, and this client has only one.
    private static func makeTemplate(
        _ template: String, _ migrations: [Migration], url: String, hasClock: Bool = false
    ) async throws {
        var configuration = PostgresConfiguration(url: url)
        configuration.maxConnections = 1
        configuration.statementTimeout = .zero
        configuration.lockTimeout = .zero
        let locker = PostgresClient(configuration: configuration, logger: Logger(label: "postgres"))
        do {
            _ = try await locker.query("SELECT pg_advisory_lock(\(0x6461_796C_7900_0002))")
            try await dropLeftovers(locker)
            let known = "SELECT FROM pg_database WHERE datname = \(template)" as SQL
            if try await locker.first(known) == nil {
                // The template has another name until it is complete.
                let draft = template + "_draft"
                try await locker.execute("DROP DATABASE IF EXISTS \(identifier: draft) WITH (FORCE)")
                try await locker.execute("CREATE DATABASE \(identifier: draft) TEMPLATE template0")
                if hasClock { try await locker.execute(TestClock.setting(of: draft)) }
                let client = client(url: Self.url(url, database: draft))
                do {
                    if hasClock { try await TestClock.install(in: client) }
                    try await Migrator(client: client, migrations: migrations).migrate()
                    await client.close()
                } catch {
                    await client.close()
                    throw error
                }
                try await locker.execute(
                    "ALTER DATABASE \(identifier: draft) RENAME TO \(identifier: template)")
            }
            await locker.close()
        } catch {
            await locker.close()
            throw error
        }
    }

    /// Drops the databases of tests that were killed two hours ago or earlier.
    private static func dropLeftovers(_ locker: PostgresClient) async throws {
        let databases = try await locker.query(
            "SELECT datname FROM pg_database WHERE datname LIKE 'dayly\\_test\\_%'")
        let limit = Date().timeIntervalSince1970 - 7200
        for database in databases {
            let name: String = try database.get("datname")
            let parts = name.split(separator: "_")
            guard parts.count == 4, let made = Double(parts[2]), made < limit else { continue }
            try await locker.execute("DROP DATABASE IF EXISTS \(identifier: name) WITH (FORCE)")
        }
    }
}

/// Limits the number of databases at a time, each with a pool of its own, to the server's connections.
private actor DatabaseSlots {
    static let shared = DatabaseSlots()

    private var free = 24
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func acquire() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func release() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
