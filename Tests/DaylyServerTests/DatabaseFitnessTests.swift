import DaylyTesting
import Foundation
import Postgres
import Testing

@testable import DaylyServer

@Suite("The database as a neighbour")
struct DatabaseFitnessTests {
    private func findings(_ environment: [String: String]) async throws -> [Finding] {
        let configuration = try await ServerConfiguration.load(environment: environment, file: nil)
        return await DatabaseChecks(configuration: configuration, logger: .silent).run().findings
    }

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

    @Test("doctor names a time zone of phones that PostgreSQL does not know")
    func zones() async throws {
        let folder = try TemporaryFolder()
        try await withTestDatabase { database in
            let environment = Fixture.development(in: folder, database: database.url)
            #expect(try await !findings(environment).contains { $0.message.contains("time zone") })
            for statement: SQL in [
                "CREATE SCHEMA system",
                """
                CREATE VIEW system.pg_timezone_names AS
                SELECT * FROM pg_catalog.pg_timezone_names WHERE name NOT LIKE 'US/%'
                """,
                """
                DO $$ BEGIN EXECUTE format(
                    'ALTER DATABASE %I SET search_path = system, pg_catalog, public', current_database());
                END $$
                """,
            ] { try await database.client.execute(statement) }
            let finding = try await findings(environment).first { $0.message.contains("US/Pacific") }
            #expect(finding?.verdict == .problem)
            #expect(finding?.remedy?.contains("tzdata-legacy") == true)
        }
    }

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

    @Test("background work that waits does not take a connection from requests")
    func pools() async throws {
        try await WholeService.run(["DAYLY_DATABASE_MAX_CONNECTIONS": "4"]) { service in
            let person = try await service.person()
            let lock = Task {
                try await service.postgres.transaction { tx in
                    try tx.execute("LOCK TABLE stored_objects IN ACCESS EXCLUSIVE MODE")
                    _ = try tx.query("SELECT pg_sleep(5)")
                }
            }
            try await Task.sleep(for: .milliseconds(300))
            let sweeps = (0..<6).map { _ in
                Task {
                    for job in service.composition.jobs where job.name == "photo_sweep" {
                        try? await job.runOnce()
                    }
                }
            }
            try await Task.sleep(for: .milliseconds(300))
            let began = ContinuousClock.now
            #expect(try await service.call("GET", "/v1/users/me", token: person.token).status == 200)
            #expect(began.duration(to: .now) < .seconds(3.5), "a request waited for background work")
            for sweep in sweeps { await sweep.value }
            try await lock.value
        }
    }
}
