import DaylyTesting
import Foundation
import Postgres
import Testing

/// Runs `body` with a database and its URL through a pooler.
///
/// - Parameter settings: lines of the pooler's configuration.
func withPooler(
    _ settings: String..., body: (TestDatabase, String) async throws -> Void
) async throws {
    try await withTestDatabase { database in
        let pooler = try await TestPooler(before: database.url, settings)
        let result: Result<Void, any Error>
        do { result = .success(try await body(database, pooler.url)) } catch { result = .failure(error) }
        await pooler.stop()
        try result.get()
    }
}

@Suite("Behind a pooler in transaction mode")
struct PoolerTests {
    /// Guard: behind a pooler statements have no name, and each transaction makes its settings
    /// (`PostgresConnection.isPooled`)
    @Test("statements of different connections never take each other's place")
    func mixing() async throws {
        try await withPooler("default_pool_size=2") { database, url in
            try await database.client.execute("CREATE TABLE kept (id integer); ")
            try await database.client.execute("INSERT INTO kept SELECT generate_series(1, 100)")
            let clients = (0..<3).map { _ in makeClient(url) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, client) in clients.enumerated() {
                    for round in 0..<40 {
                        group.addTask {
                            // The first statement of each client differs, as in different processes.
                            if index == round % 3 {
                                #expect(
                                    try await client.execute("DELETE FROM kept WHERE id = \(-round)") == 0)
                            } else {
                                let row = try await client.first("SELECT \(round) + \(index) AS sum")
                                #expect(try row?.get("sum") == round + index)
                            }
                            let count = try await client.transaction { tx in
                                let first = try tx.first("SELECT count(*) AS c FROM kept WHERE id > \(0)")
                                let second = try tx.first("SELECT \(round) AS c")
                                #expect(try second?.get("c") == round)
                                return try first?.get("c", as: Int.self)
                            }
                            #expect(count == 100)
                        }
                    }
                }
                try await group.waitForAll()
            }
            for client in clients { await client.close() }
        }
    }

    /// Guard: behind a pooler statements have no name, and each transaction makes its settings
    /// (`PostgresConnection.isPooled`)
    @Test("each transaction has its own client's settings, and leaves none behind")
    func settings() async throws {
        try await withPooler("default_pool_size=1") { database, url in
            let name = database.url.split(separator: "/").last.map(String.init) ?? ""
            try await database.client.execute(
                "ALTER DATABASE \(identifier: name) SET synchronous_commit = off")
            let short = makeClient(url) { $0.statementTimeout = .seconds(2) }
            let long = makeClient(url) {
                $0.statementTimeout = .seconds(7)
                $0.lockTimeout = .seconds(3)
            }
            let settings: SQL = """
                SELECT concat_ws(' ', current_setting('statement_timeout'), current_setting('lock_timeout'),
                    current_setting('idle_in_transaction_session_timeout'), current_setting('synchronous_commit'),
                    current_setting('TimeZone')) AS all
                """
            for _ in 0..<3 {
                for (client, expected) in [(short, "2s 10s 7s on UTC"), (long, "7s 3s 12s on UTC")] {
                    #expect(try await client.first(settings)?.get("all") == expected)
                    let inTransaction = try await client.transaction {
                        try $0.first(settings)?.get("all", as: String.self)
                    }
                    #expect(inTransaction == expected)
                }
            }
            // The session that both clients used is unchanged.
            let bare = makeClient(url) {
                $0.statementTimeout = .zero
                $0.lockTimeout = .zero
            }
            #expect(try await bare.first(settings)?.get("all") == "0 0 0 on UTC")
            let slow = await failure { try await short.query("SELECT pg_sleep(10)") }
            #expect(slow?.isUnavailable == true)
            for client in [short, long, bare] { await client.close() }
        }
    }

    @Test("errors are what they are without it, and the connection goes on")
    func errors() async throws {
        try await withPooler("default_pool_size=1") { database, url in
            let client = makeClient(url) { $0.maxConnections = 1 }
            try await client.execute("CREATE TABLE t (id integer CONSTRAINT t_only_once PRIMARY KEY)")
            #expect(try await client.execute("INSERT INTO t VALUES (\(1)::integer), (\(2)::integer)") == 2)
            for _ in 0..<2 {
                let twice = await failure { try await client.execute("INSERT INTO t VALUES (\(1)::integer)") }
                #expect(twice?.constraint == "t_only_once")
                #expect(await failure { try await client.query("SELECT \("a\0b") AS t") } == .nulInText)
                #expect(await failure { try await client.query("SELECT 1 / 0") }?.sqlState == "22012")
                #expect(await failure { try await client.query("SELEC 1") }?.sqlState == "42601")
                let inside = await failure {
                    try await client.transaction { try $0.execute("INSERT INTO t VALUES (\(2)::integer)") }
                }
                #expect(inside?.sqlState == "23505")
                #expect(try await client.first("SELECT count(*) AS c FROM t")?.get("c") == 2)
            }
            await client.close()
        }
    }

    /// Guard: transaction and session mode of a pooler are distinguished (`Pooling`)
    @Test("a pooler is distinguished from the server, and its modes from each other")
    func recognised() async throws {
        try await withPooler { database, url in
            let (direct, pooled) = (try await database.client.pooling(), try await pooling(by: url))
            #expect(direct == .none)
            #expect(pooled == .transaction)
        }
        try await withPooler("server_round_robin=1", "min_pool_size=3") { _, url in
            let pooled = try await pooling(by: url)
            #expect(pooled == .transaction)
        }
        try await withPooler("pool_mode=session") { _, url in
            let pooled = try await pooling(by: url)
            #expect(pooled == .session)
        }
    }

    private func pooling(by url: String) async throws -> Pooling {
        let client = makeClient(url)
        let pooling = try await client.pooling()
        await client.close()
        return pooling
    }

    /// Guard: LISTEN and migrations take the direct URL (`PostgresConfiguration.direct`)
    @Test("LISTEN and migrations go by the direct URL")
    func direct() async throws {
        try await withPooler("default_pool_size=1") { database, url in
            let client = makeClient(url) { $0.directURL = database.url }
            let (listening, heard) = (Counter(), Counter())
            let listener = Task {
                for try await _ in client.listen(channel: "c", onListening: { listening.increment() }) {
                    heard.increment()
                }
            }
            try await eventually { listening.value == 1 }
            // The pooler's only session is taken. Work that needs its own session does not wait for it.
            _ = try await client.transaction { try $0.execute("SELECT pg_notify('c', '')") }
            try await eventually { heard.value == 1 }
            try await database.client.execute("DROP SCHEMA public CASCADE")
            try await database.client.execute("CREATE SCHEMA public")
            let migrations = (1...3).map {
                Migration(name: "000\($0)_m", sql: "CREATE TABLE t\($0) (id integer); SELECT pg_sleep(0.1)")
            }
            let applied = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<3 {
                    group.addTask { try await Migrator(client: client, migrations: migrations).migrate() }
                }
                return try await group.reduce(into: 0) { $0 += $1.count }
            }
            #expect(applied == 3)
            #expect(try await Migrator(client: client, migrations: migrations).status() == .current)
            listener.cancel()
            await client.close()
        }
    }
}
