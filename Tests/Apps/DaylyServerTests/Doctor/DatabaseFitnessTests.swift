import DaylyTesting
import Foundation
import Postgres
import Testing

@testable import DaylyServer

@Suite("The database as a neighbour")
struct DatabaseFitnessTests {
    private func findings(_ environment: [String: String]) async throws -> [Finding] {
        let configuration = try ServerConfiguration.load(environment: environment, file: nil)
        return await DatabaseChecks(configuration: configuration, logger: .silent).run().findings
    }

    /// Guard: `fsync = off` and `full_page_writes = off` are named (`DatabaseFitness.durability`)
    @Test("doctor names a server that does not flush: a problem in production, a warning in development")
    func durability() async throws {
        // The test server runs with both settings off.
        let server = try await DatabaseServer.shared.value.url
        let folder = try TemporaryFolder()
        let production = try await findings(
            Fixture.production(in: folder, ["DAYLY_DATABASE_URL": server]))
        for setting in ["fsync", "full_page_writes"] {
            let finding = production.first { $0.message.hasPrefix("\(setting) is off") }
            #expect(finding?.verdict == .problem)
            #expect(finding?.remedy?.contains("\(setting) = on") == true)
        }
        let development = try await findings(Fixture.development(in: folder, database: server))
        #expect(
            development.filter { $0.message.contains(" is off: ") }.map(\.verdict) == [.warning, .warning])
    }

    /// Guard: `doctor` names a user's time zone that PostgreSQL does not know (`DatabaseFitness.zones`)
    @Test(
        "doctor names a user's time zone that PostgreSQL does not know, and not one that has another name there"
    )
    func zones() async throws {
        let folder = try TemporaryFolder()
        try await withTestDatabase { database in
            let environment = Fixture.development(in: folder, database: database.url)
            _ = try await Fixtures.user(in: database.client, timeZone: "Asia/Calcutta")
            #expect(try await !findings(environment).contains { $0.message.contains("time zone") })
            _ = try await Fixtures.user(in: database.client, timeZone: "Asia/Nowhere")
            let finding = try await findings(environment).first { $0.message.contains("Asia/Nowhere") }
            #expect(finding?.verdict == .warning)
            #expect(finding?.remedy?.contains("tzdata") == true)
        }
    }

    @Test(
        "a database of another encoding is refused by migrate before it begins, by serve and by doctor",
        arguments: ["SQL_ASCII", "LATIN1"])
    func encoding(_ encoding: String) async throws {
        let folder = try TemporaryFolder()
        let server = try await DatabaseServer.shared.value.url
        let admin = PostgresClient(configuration: PostgresConfiguration(url: server), logger: .silent)
        let name = "dayly_encoding_\(encoding.lowercased())_\(UUID().uuidString.prefix(8))"
        try await admin.execute(
            SQL(unchecked: "CREATE DATABASE \"\(name)\" TEMPLATE template0 ENCODING '\(encoding)' LOCALE 'C'")
        )
        let url = DatabaseServer.url(server, database: name)
        let environment = Fixture.development(in: folder, database: url)
        let other = PostgresClient(configuration: PostgresConfiguration(url: url), logger: .silent)
        do {
            let refused = try await Command(arguments: ["migrate"], environment: environment).run()
            #expect(refused.status == 1)
            #expect(
                refused.errors.contains("UTF8") && refused.errors.contains("template0"), "\(refused.errors)")
            let table = try await other.first("SELECT to_regclass('schema_migrations') IS NULL AS missing")
            #expect(try table?.get("missing") == true)
            let finding = try await findings(environment).first { $0.message.contains(encoding) }
            #expect(finding?.verdict == .problem)
            // Other encodings cannot even hold the schema.
            if encoding == "SQL_ASCII" {
                let migrations = try Migration.load(from: DatabaseServer.migrationsDirectory)
                try await Migrator(client: other, migrations: migrations).migrate()
                let serve = try await Command(arguments: ["serve"], environment: environment).run()
                #expect(serve.status == 1 && serve.errors.contains("UTF8"), "\(serve.errors)")
            }
        } catch {
            Issue.record(error)
        }
        await other.close()
        try await admin.execute("DROP DATABASE \(identifier: name) WITH (FORCE)")
        await admin.close()
    }

    @Test("doctor warns of collations that have changed, of the database and of a column")
    func collations() async throws {
        let folder = try TemporaryFolder()
        try await withTestDatabase { database in
            let environment = Fixture.development(in: folder, database: database.url)
            #expect(try await !findings(environment).contains { $0.message.contains("order of texts") })
            for statement: SQL in [
                "CREATE COLLATION german (provider = icu, locale = 'de')",
                "CREATE TABLE of_test (name text COLLATE german)",
                "UPDATE pg_collation SET collversion = '1.1' WHERE collname IN ('german', 'fr-x-icu')",
                """
                UPDATE pg_database SET datcollversion = '2.1', datlocprovider = 'i', daticulocale = 'de'
                WHERE datname = current_database()
                """,
            ] { try await database.client.execute(statement) }
            let found = try await findings(environment).filter { $0.message.contains("order of texts") }
            #expect(found.map(\.verdict) == [.warning, .warning], "\(found)")
            #expect(found.contains { $0.remedy?.contains("ALTER DATABASE") == true })
            #expect(found.contains { $0.remedy?.contains("ALTER COLLATION public.german REFRESH") == true })
        }
    }

    /// Guard: migrate and serve refuse a pooler in transaction mode without `database.direct_url`
    /// (`DatabaseFitness.requireSessions`)
    @Test(
        "a pooler in transaction mode needs database.direct_url: without it migrate and doctor refuse, with it both work"
    )
    func pooler() async throws {
        let database = try await TestDatabase.make()
        let pooler = try await TestPooler(before: database.url)
        let folder = try TemporaryFolder()
        let port = try freePort()
        func environment(_ more: [String: String] = [:]) -> [String: String] {
            let ports = ["DAYLY_HTTP_PORT": "\(port)", "DAYLY_HTTP_ADMIN_PORT": "0"]
            return Fixture.development(in: folder, database: pooler.url, ports.merging(more) { $1 })
        }
        let direct = environment(["DAYLY_DATABASE_DIRECT_URL": database.url])
        let pooled = environment(["DAYLY_DATABASE_DIRECT_URL": pooler.url])
        let other = environment(["DAYLY_DATABASE_DIRECT_URL": try await DatabaseServer.shared.value.url])
        do {
            for (wrong, words) in [
                (environment(), "database.direct_url is missing"),
                (pooled, "database.direct_url leads through a pooler"), (other, "different databases"),
            ] {
                let problem = try await findings(wrong).first { $0.message.contains(words) }
                #expect(problem?.verdict == .problem, "\(words)")
                for command in ["migrate", "serve"] {
                    let refused = try await Command(arguments: [command], environment: wrong).run()
                    #expect(refused.status == 1)
                    #expect(refused.errors.contains(words), "\(refused.errors)")
                }
            }
            #expect(
                try await findings(direct).contains {
                    $0.message.hasPrefix("behind a pooler in transaction mode")
                })
            let migrated = try await Command(arguments: ["migrate"], environment: direct).run()
            #expect(migrated.status == 0, "\(migrated.output)")
        } catch {
            Issue.record(error)
        }
        await pooler.stop()
        await database.drop()
    }

    /// Guard: background work has connections of its own (`Connections.pools`)
    @Test("background work that waits does not take a connection from requests")
    func pools() async throws {
        try await WholeService.run(["DAYLY_DATABASE_MAX_CONNECTIONS": "4"]) { service in
            let person = try await service.person()
            var sweeps: [Task<Void, Never>] = []
            try await service.postgres.holding("LOCK TABLE stored_objects IN ACCESS EXCLUSIVE MODE") {
                sweeps = (0..<6).map { _ in
                    Task {
                        for job in service.composition.jobs where job.name == "photo_sweep" {
                            try? await job.runOnce()
                        }
                    }
                }
                try await service.postgres.untilWaiting()
                try await Task.sleep(for: .milliseconds(300))
                // Without connections of its own, a request would wait until the table is free.
                #expect(try await service.call("GET", "/v1/users/me", token: person.token).status == 200)
            }
            for sweep in sweeps { await sweep.value }
        }
    }
}
