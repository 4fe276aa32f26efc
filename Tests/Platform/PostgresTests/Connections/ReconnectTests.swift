import DaylyTesting
import Foundation
import Postgres
import Testing

@Suite("Lost connections")
struct ReconnectTests {
    private let hangUp: SQL = """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'victim'
        """

    @Test("a connection that died while idle is replaced, and nobody notices")
    func diedIdle() async throws {
        try await withClient {
            $0.applicationName = "victim"
        } _: { client, database in
            for _ in 0..<5 {
                _ = try await client.query("SELECT 1")
                _ = try await database.client.query(hangUp)
                // A read may fail when the server closes the connection; a transaction begins anew on another one.
                try await client.transaction { _ = try $0.query("SELECT 1") }
                _ = try await client.query("SELECT 1")
            }
        }
    }

    @Test("a connection lost in a transaction changes nothing, and the next one works")
    func lostInTransaction() async throws {
        try await withClient {
            $0.applicationName = "victim"
        } _: { client, database in
            try await client.execute("CREATE TABLE t (id integer)")
            let inserted = Counter()
            let task = Task {
                await failure {
                    try await client.transaction { transaction in
                        try transaction.execute("INSERT INTO t VALUES (1)")
                        inserted.increment()
                        _ = try transaction.query("SELECT pg_sleep(20)")
                    }
                }
            }
            try await eventually { inserted.value == 1 }
            try await Task.sleep(for: .milliseconds(50))
            _ = try await database.client.query(hangUp)
            #expect(await task.value?.isUnavailable == true)
            #expect(try await client.first("SELECT count(*) AS c FROM t")?.get("c") == 0)
        }
    }

    /// Guard: a COMMIT whose answer is lost has an unknown outcome (`PostgresTransaction`)
    @Test("a connection lost during COMMIT leaves the outcome unknown, whichever it was")
    func lostCommit() async throws {
        try await withProxy { client, proxy, database in
            try await client.execute("CREATE TABLE t (id integer)")
            proxy.set { $0.cutAfter = "COMMIT\0" }
            let kept = await failure {
                try await client.transaction { try $0.execute("INSERT INTO t VALUES (1)") }
            }
            proxy.set {
                $0.cutAfter = nil
                $0.cutBefore = "COMMIT\0"
            }
            let lost = await failure {
                try await client.transaction { try $0.execute("INSERT INTO t VALUES (2)") }
            }
            #expect(kept == .commitOutcomeUnknown)
            #expect(lost == .commitOutcomeUnknown)
            let ids = try await database.client.query("SELECT id FROM t").map {
                try $0.get("id", as: Int.self)
            }
            #expect(ids == [1])
        }
    }

    @Test("a write of its own whose answer is lost has an unknown outcome, a read was just not served")
    func lostAnswer() async throws {
        try await withProxy { client, proxy, _ in
            try await client.execute("CREATE TABLE t (id integer)")
            // Prepared before, so that the execution is cut off: it carries the statement's name, not its text.
            let (write, read): (SQL, SQL) = ("INSERT INTO t VALUES (1)", "SELECT id FROM t")
            try await client.execute(write)
            proxy.set { $0.cutAfter = "dayly_" }
            #expect(await failure { try await client.execute(write) } == .commitOutcomeUnknown)
            proxy.set { $0.cutAfter = nil }
            #expect(try await client.query(read).count == 2)
            proxy.set { $0.cutAfter = "dayly_" }
            #expect(await failure { try await client.query(read) }?.isUnavailable == true)
        }
    }

    @Test("while no connection can be made callers get an error soon, and are served again afterwards")
    func outage() async throws {
        try await withProxy {
            $0.acquireTimeout = .seconds(60)
        } _: { client, proxy, _ in
            proxy.set { $0.isRefusing = true }
            let first = ContinuousClock.now
            #expect(await failure { try await client.query("SELECT 1") }?.isUnavailable == true)
            #expect(ContinuousClock.now - first < .seconds(30))
            let second = ContinuousClock.now
            #expect(await failure { try await client.query("SELECT 1") }?.isUnavailable == true)
            #expect(ContinuousClock.now - second < .seconds(20), "the pool knows by now")
            proxy.set { $0.isRefusing = false }
            _ = try await client.query("SELECT 1")
        }
    }

    @Test("an outage shorter than the patience is waited out")
    func shortOutage() async throws {
        try await withProxy { client, proxy, _ in
            proxy.set { $0.isRefusing = true }
            async let row = client.first("SELECT 1 AS x")
            try await Task.sleep(for: .milliseconds(500))
            proxy.set { $0.isRefusing = false }
            #expect(try await row?.get("x") == 1)
        }
    }

    /// Guard: deadlocks, serialization failures and stale plans are retried in one place
    /// (`PostgresClient.repeating`)
    @Test("a prepared statement whose plan no longer fits is prepared anew")
    func stalePlan() async throws {
        try await withClient {
            $0.maxConnections = 3
        } _: { client, database in
            try await client.execute("CREATE TABLE t (id integer)")
            try await client.execute("INSERT INTO t VALUES (1)")
            let read: SQL = "SELECT * FROM t"
            for type in ["bigint", "text", "integer USING id::integer"] {
                // Every connection holds a plan.
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<3 {
                        group.addTask {
                            try await client.transaction { transaction in
                                _ = try transaction.query(read)
                                _ = try transaction.query("SELECT pg_sleep(0.05)")
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                try await database.client.execute(
                    "ALTER TABLE t ALTER COLUMN id TYPE \(fragment: SQL(unchecked: type))")
                _ = try await client.query(read)
                for _ in 0..<4 { try await client.transaction { _ = try $0.query(read) } }
            }
        }
    }

    @Test("a prepared statement that is gone is prepared anew, inside a transaction too")
    func lostStatement() async throws {
        try await withClient {
            $0.maxConnections = 1
        } _: { client, _ in
            let read: SQL = "SELECT 7 AS x"
            _ = try await client.query(read)
            try await client.execute("DEALLOCATE ALL")
            #expect(try await client.first(read)?.get("x") == 7)
            try await client.execute("DEALLOCATE ALL")
            let value = try await client.transaction { try $0.first(read)?.get("x", as: Int.self) }
            #expect(value == 7)
        }
    }

    @Test("no more statements stay prepared than configured")
    func boundedStatements() async throws {
        try await withClient {
            $0.maxConnections = 1
            $0.maxPreparedStatements = 5
        } _: { client, _ in
            for index in 0..<40 { _ = try await client.query(SQL(unchecked: "SELECT \(index)")) }
            let row = try await client.first("SELECT count(*) AS c FROM pg_prepared_statements")
            #expect(try row?.get("c", as: Int.self) == 5)
        }
    }

    @Test("a closed client refuses, and waits for what was under way")
    func close() async throws {
        try await withClient { client, _ in
            _ = try await client.query("SELECT 1")
            async let slow = client.first("SELECT pg_sleep(0.8), 1 AS x")
            try await Task.sleep(for: .milliseconds(200))
            let clock = ContinuousClock.now
            await client.close()
            #expect(ContinuousClock.now - clock > .milliseconds(100))
            #expect(try await slow?.get("x") == 1)
            #expect(await failure { try await client.query("SELECT 1") }?.isUnavailable == true)
            await client.close()
        }
    }

    @Test("a client without references closes its connections")
    func released() async throws {
        try await withDatabase { client in
            var other: PostgresClient? = makeClient(client.configuration.url) {
                $0.applicationName = "victim"
            }
            _ = try await other?.query("SELECT 1")
            let count: SQL = "SELECT count(*) AS c FROM pg_stat_activity WHERE application_name = 'victim'"
            let here: SQL = "\(fragment: count) AND datname = current_database()"
            #expect(try await client.first(here)?.get("c") == 1)
            other = nil
            try await eventually { try await client.first(here)?.get("c") == 0 }
        }
    }

    @Test(
        "the reason why it cannot connect is reported without the URL",
        arguments: [
            ("postgresql://dayly:s3cret@127.0.0.1:1/x", .nothingListens),
            ("postgresql://u:s3cret/word@127.0.0.1/x", .invalidURL),
            ("postgresql://u:pa@s3cret.invalid/x", .unknownHost),
            ("postgresql:///x?host=/nowhere/s3cret", .noSocket),
            ("postgresql://h/x?s3cret=1", .invalidURL),
        ] as [(String, ConnectFailure)])
    func connectErrors(url: String, expected: ConnectFailure) async throws {
        let client = makeClient(url)
        let error = await failure { try await client.query("SELECT 1") }
        #expect(error == .unavailable(.connecting(expected)))
        #expect(!String(reflecting: error).contains("s3cret"))
        await client.close()
    }

    @Test("a wrong database or user is reported as such")
    func wrongNames() async throws {
        let server = try await DatabaseServer.shared.value
        let client = makeClient(DatabaseServer.url(server.url, database: "dayly_no_such_database"))
        #expect(
            await failure { try await client.query("SELECT 1") }
                == .unavailable(.connecting(.unknownDatabase)))
        await client.close()
    }
}
