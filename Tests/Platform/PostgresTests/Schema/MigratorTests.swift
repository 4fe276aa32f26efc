import DaylyTesting
import Foundation
import Postgres
import Testing

@Suite("The migrator")
struct MigratorTests {
    private let one = Migration(
        name: "0001_one", sql: "CREATE TABLE one (id integer);\nCREATE TABLE uno (id integer)")
    private let two = Migration(name: "0002_two", sql: "INSERT INTO one VALUES (1); -- done\n")
    private let three = Migration(
        name: "0003_three", sql: "-- dayly: breaking\nALTER TABLE one ADD n integer;")

    /// A database without any migration.
    private func withEmptyDatabase(_ body: (PostgresClient) async throws -> Void) async throws {
        try await withDatabase { client in
            try await client.execute("DROP SCHEMA public CASCADE")
            try await client.execute("CREATE SCHEMA public")
            try await body(client)
        }
    }

    private func status(_ client: PostgresClient, _ migrations: Migration...) async throws -> MigrationStatus
    {
        try await Migrator(client: client, migrations: migrations).status()
    }

    @Test("a fresh database gets everything once, in order")
    func fresh() async throws {
        try await withEmptyDatabase { client in
            #expect(try await status(client, one, two) == .behind(["0001_one", "0002_two"]))
            let migrator = Migrator(client: client, migrations: [two, one])
            #expect(try await migrator.migrate() == ["0001_one", "0002_two"])
            #expect(try await migrator.status() == .current)
            #expect(try await migrator.migrate() == [])
            #expect(try await client.first("SELECT count(*) AS c FROM one")?.get("c") == 1)
            let rows = try await client.query(
                "SELECT version, name, checksum FROM schema_migrations ORDER BY 1")
            #expect(try rows.map { try $0.get("name", as: String.self) } == ["0001_one", "0002_two"])
            #expect(try rows.allSatisfy { try $0.get("checksum", as: String.self).count == 64 })
        }
    }

    @Test("more migrations are applied where the last ones ended")
    func behind() async throws {
        try await withEmptyDatabase { client in
            try await Migrator(client: client, migrations: [one]).migrate()
            #expect(try await status(client, one, two, three) == .behind(["0002_two", "0003_three"]))
            #expect(
                try await Migrator(client: client, migrations: [one, two, three]).migrate() == [
                    "0002_two", "0003_three",
                ])
        }
    }

    /// Guard: an applied migration never changes (`MigrationStatus`)
    @Test("a file that changed after it was applied is refused")
    func changed() async throws {
        try await withEmptyDatabase { client in
            try await Migrator(client: client, migrations: [one]).migrate()
            let edited = Migration(name: one.name, sql: one.sql + " ")
            let renamed = Migration(name: "0001_other", sql: one.sql)
            #expect(try await status(client, edited, two) == .changed(["0001_one"]))
            #expect(try await status(client, renamed) == .changed(["0001_other"]))
            await #expect(throws: MigrationError.changed(["0001_one"])) {
                try await Migrator(client: client, migrations: [edited, two]).migrate()
            }
            #expect(try await status(client, one, two) == .behind(["0002_two"]))
        }
    }

    @Test("an older program runs on a newer database, unless a migration is marked as breaking")
    func ahead() async throws {
        try await withEmptyDatabase { client in
            try await Migrator(client: client, migrations: [one, two]).migrate()
            #expect(try await status(client, one) == .aheadCompatible)
            #expect(try await Migrator(client: client, migrations: [one]).migrate() == [])
            try await Migrator(client: client, migrations: [one, two, three]).migrate()
            #expect(try await status(client, one) == .aheadBreaking(["0003_three"]))
            await #expect(throws: MigrationError.aheadBreaking(["0003_three"])) {
                try await Migrator(client: client, migrations: [one]).migrate()
            }
        }
    }

    @Test("a migration numbered below what is applied is refused")
    func outOfOrder() async throws {
        try await withEmptyDatabase { client in
            try await Migrator(client: client, migrations: [one, three]).migrate()
            await #expect(throws: MigrationError.outOfOrder("0002_two")) {
                try await Migrator(client: client, migrations: [one, two, three]).migrate()
            }
        }
    }

    @Test("a migration that fails leaves nothing of itself, and what came before it")
    func failing() async throws {
        try await withEmptyDatabase { client in
            let broken = Migration(name: "0002_broken", sql: "CREATE TABLE half (id integer); SELECT 1 / 0;")
            let migrator = Migrator(client: client, migrations: [one, broken])
            do {
                try await migrator.migrate()
                Issue.record("it went through")
            } catch MigrationError.failed(let name, let error) {
                #expect(name == "0002_broken")
                #expect(error.sqlState == "22012")
            }
            #expect(try await migrator.status() == .behind(["0002_broken"]))
            #expect(try await client.first("SELECT to_regclass('half') IS NULL AS gone")?.get("gone") == true)
        }
    }

    @Test("a file that ends its own transaction is refused")
    func leavesTransaction() async throws {
        try await withEmptyDatabase { client in
            let broken = Migration(name: "0001_commit", sql: "CREATE TABLE a (id integer); COMMIT;")
            await #expect(throws: MigrationError.leftTransaction("0001_commit")) {
                try await Migrator(client: client, migrations: [broken]).migrate()
            }
        }
    }

    /// Guard: one migrator at a time (`Migrator.migrate`)
    @Test("five migrators at once: one applies the migrations, the others find them applied")
    func race() async throws {
        try await withEmptyDatabase { client in
            let slow = Migration(
                name: "0002_slow", sql: "CREATE TABLE two (id integer); SELECT pg_sleep(0.3);")
            let applied = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<5 {
                    group.addTask { try await Migrator(client: client, migrations: [one, slow]).migrate() }
                }
                return try await group.reduce(into: [[String]]()) { $0.append($1) }
            }
            #expect(applied.filter { $0 == ["0001_one", "0002_slow"] }.count == 1)
            #expect(applied.filter(\.isEmpty).count == 4)
        }
    }

    @Test("only a comment at the top of the file marks it as breaking")
    func breaking() async throws {
        try await withEmptyDatabase { client in
            let migrations = [
                Migration(
                    name: "0001_a",
                    sql: "-- Why.\n\n--dayly:  breaking\nSELECT 1;".replacing(":  ", with: ": ")),
                Migration(name: "0002_b", sql: "SELECT 1;\n-- dayly: breaking"),
                Migration(name: "0003_c", sql: "-- dayly: breaking?\nSELECT 1"),
            ]
            try await Migrator(client: client, migrations: migrations).migrate()
            #expect(try await status(client) == .aheadBreaking(["0001_a"]))
        }
    }

    @Test("a folder's files are read in order, except schema.sql; a wrong name or number is refused")
    func load() throws {
        let temporary = try TemporaryFolder()
        defer { withExtendedLifetime(temporary) {} }
        let folder = temporary.url
        func add(_ name: String) throws { _ = try temporary.write(name, "SELECT 1") }
        #expect(throws: MigrationError.missing(folder.path)) { try Migration.load(from: folder) }
        try add("schema.sql")
        #expect(throws: MigrationError.missing(folder.path)) { try Migration.load(from: folder) }
        try add("0002_b.sql")
        try add("0001_a.sql")
        try add("README.md")
        #expect(try Migration.load(from: folder).map(\.name) == ["0001_a", "0002_b"])
        try add("0002_c.sql")
        #expect(throws: MigrationError.sameVersion("0002_b", "0002_c")) { try Migration.load(from: folder) }
        try FileManager.default.removeItem(at: folder.appendingPathComponent("0002_c.sql"))
        try add("3_d.sql")
        #expect(throws: MigrationError.misnamed("3_d")) { try Migration.load(from: folder) }
    }

    @Test("the product's own migrations are what the template holds")
    func own() async throws {
        try await withDatabase { client in
            let migrations = try Migration.load(from: DatabaseServer.migrationsDirectory)
            #expect(try await Migrator(client: client, migrations: migrations).status() == .current)
        }
    }
}
