import DaylyTesting
import Foundation
import Postgres
import Testing

@Suite("The start of a session")
struct SessionTests {
    private func set(_ setting: String, of database: TestDatabase) async throws {
        let name = database.url.split(separator: "/").last.map(String.init) ?? ""
        let statement: SQL = "ALTER DATABASE \(identifier: name) SET \(fragment: SQL(unchecked: setting))"
        try await database.client.execute(statement)
    }

    /// Guard: sessions switch `synchronous_commit` on (`PostgresConfiguration.settingsStatement`)
    @Test(
        "a COMMIT that is answered is durable, also where the operator switched that off; stricter values stay",
        arguments: [("off", "on"), ("local", "local"), ("remote_apply", "remote_apply")])
    func durable(value: String, expected: String) async throws {
        try await withTestDatabase { database in
            try await set("synchronous_commit = \(value)", of: database)
            let client = makeClient(database.url)
            let row = try await client.first("SELECT current_setting('synchronous_commit') AS value")
            #expect(try row?.get("value") == expected)
            await client.close()
        }
    }

    /// Guard: statements' names are random for each connection (`PostgresConnection.namePrefix`)
    @Test("no two connections name their statements alike")
    func names() async throws {
        try await withClient { client, _ in
            let prepared: SQL = "SELECT name FROM pg_prepared_statements WHERE name LIKE 'dayly%'"
            let running = Counter()
            let names = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await client.transaction { tx in
                            _ = try tx.query("SELECT 1 AS one")
                            // Each transaction waits for the others, so that each has a connection of its own.
                            running.increment()
                            while running.value < 4 { usleep(2_000) }
                            return try tx.query(prepared).map { try $0.get("name") }
                        }
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(names.count == 8)
            #expect(Set(names).count == 8)
        }
    }

    /// Guard: a read-only server is not connected to, and is left (`ConnectionParameters`,
    /// `PostgresConnection.isReadOnly`)
    /// Guard: a transaction that a read-only server refuses runs on another server
    /// (`NothingDone.takesNoWrites`)
    @Test("a server that takes no writes is not connected to, and is left when it becomes one")
    func readOnly() async throws {
        try await withClient {
            $0.maxConnections = 1
        } _: { client, database in
            try await client.execute("CREATE TABLE t (id integer)")
            try await client.execute("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
            #expect(try await client.execute("INSERT INTO t VALUES (1)") == 1, "by another connection")
            try await set("default_transaction_read_only = on", of: database)
            let other = makeClient(database.url) { $0.acquireTimeout = .seconds(1) }
            let standby = await failure { try await other.query("SELECT 1") }
            #expect("\(String(describing: standby))".contains("takes no writes"))
            await other.close()
        }
    }

    @Test("with several hosts the client uses the one that answers")
    func hosts() async throws {
        try await withClient { _, database in
            var parts = try #require(URLComponents(string: database.url))
            let (host, port) = (try #require(parts.host), try #require(parts.port))
            parts.host = "HOSTS"
            parts.port = nil
            let url = try #require(parts.string).replacing("HOSTS", with: "127.0.0.1:1,\(host):\(port)")
            let client = makeClient(url)
            #expect(try await client.first("SELECT 1 AS x")?.get("x") == 1)
            await client.close()
        }
    }
}
