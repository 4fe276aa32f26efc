import DaylyTesting
import Dispatch
import Foundation
import Testing

@testable import Postgres

@Suite("Statements in one message")
struct TogetherTests {
    @Test("both are answered, with their own parameters, as of one time")
    func both() async throws {
        try await withClient { client, _ in
            for round in 0..<3 {
                let (first, second) = try await client.read(
                    "SELECT \(round) AS n, now() AS at", then: "SELECT \("x\(round)") AS t, now() AS at")
                #expect(try first.first?.get("n") == round)
                #expect(try second.first?.get("t") == "x\(round)")
                let times: [Date?] = [try first.first?.get("at"), try second.first?.get("at")]
                #expect(times[0] == times[1])
            }
        }
    }

    @Test("a failure of either fails both, and the connection serves the next call")
    func failure() async throws {
        try await withClient {
            $0.maxConnections = 1
        } _: { client, _ in
            let (good, bad): (SQL, SQL) = ("SELECT 1 AS x", "SELECT 1 / \(0) AS x")
            let process = try await client.first("SELECT pg_backend_pid() AS pid")?.get("pid", as: Int.self)
            for (first, second) in [(good, bad), (bad, good), (bad, bad)] {
                let error = await #expect(throws: PostgresError.self) {
                    _ = try await client.read(first, then: second)
                }
                guard case .server(let report)? = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(report.sqlState == "22012")
                #expect(try await client.read(good, then: good).second.first?.get("x") == 1)
            }
            let after = try await client.first("SELECT pg_backend_pid() AS pid")?.get("pid", as: Int.self)
            #expect(after == process)
        }
    }

    @Test("prepared statements that are gone, or whose plans no longer fit, are prepared anew")
    func stalePlans() async throws {
        try await withClient {
            $0.maxConnections = 1
        } _: { client, _ in
            try await client.execute("CREATE TABLE t (id integer)")
            try await client.execute("INSERT INTO t VALUES (7)")
            let (one, all): (SQL, SQL) = ("SELECT 1 AS x", "SELECT * FROM t")
            _ = try await client.read(one, then: all)
            try await client.execute("ALTER TABLE t ALTER COLUMN id TYPE bigint")
            #expect(try await client.read(one, then: all).second.first?.get("id") == 7)
            try await client.execute("DEALLOCATE ALL")
            #expect(try await client.read(all, then: one).first.first?.get("id") == 7)
        }
    }

    /// Guard: two statements fit into one message: both stay prepared, and behind a pooler the settings'
    /// answer is not theirs (`StatementCache`, `PostgresConnection.executeUnnamed`)
    @Test("the smallest number of prepared statements is enough for both")
    func smallCache() async throws {
        try await withClient {
            $0.maxConnections = 1
            $0.maxPreparedStatements = 1
        } _: { client, _ in
            for round in 0..<5 {
                let (first, second) = try await client.read(
                    SQL(unchecked: "SELECT \(round) AS x"), then: SQL(unchecked: "SELECT -\(round) AS x"))
                #expect(try first.first?.get("x") == round)
                #expect(try second.first?.get("x") == -round)
            }
        }
    }

    @Test("a cancelled task ends the statement that runs")
    func cancellation() async throws {
        try await withClient {
            $0.statementTimeout = .zero
        } _: { client, _ in
            let task = Task { try await client.read("SELECT 1", then: "SELECT pg_sleep(600)") }
            try await Task.sleep(for: .milliseconds(300))
            task.cancel()
            await #expect(throws: PostgresError.self) { _ = try await task.value }
            #expect(try await client.read("SELECT 1 AS x", then: "SELECT 2 AS x").second.count == 1)
        }
    }

    @Test("callers that read at the same time get their own answers over few connections")
    func manyCallers() async throws {
        try await withClient {
            $0.maxConnections = 16
        } _: { client, _ in
            let processes = try await withThrowingTaskGroup { group in
                for caller in 0..<200 {
                    group.addTask {
                        let (first, second) = try await client.read(
                            "SELECT \(caller) AS n, pg_backend_pid() AS pid",
                            then: "SELECT \("x\(caller)") AS t")
                        #expect(try first.first?.get("n") == caller)
                        #expect(try second.first?.get("t") == "x\(caller)")
                        return try first.first?.get("pid", as: Int.self)
                    }
                }
                return try await group.reduce(into: Set<Int?>()) { $0.insert($1) }
            }
            #expect(processes.count < 16)
        }
    }

    /// Guard: a caller of a shared query gets the rows of their own key (`SharedMessage.answers`)
    @Test("one statement answers all callers of a shared query, each with the rows of its own key")
    func sharedQuery() async throws {
        try await withBlockedReads { client, unblock in
            let query = SharedQuery { keys in
                """
                SELECT asked.place, asked.one, asked.other, count(*) OVER () AS callers, number
                FROM \(fragment: keys.table("one", "other"))
                CROSS JOIN generate_series(1, CASE WHEN asked.one = asked.other THEN 0 ELSE 2 END) AS number
                ORDER BY asked.place, number
                """
            }
            let callers = (0..<5).map { number in
                Task {
                    let one = UUID()
                    let key = [one, number == 0 ? one : UUID()]
                    return (
                        key,
                        try await client.read(
                            .shared(query, key: key), then: .statement("SELECT \(number) AS n"))
                    )
                }
            }
            try await unblock()
            for (number, caller) in callers.enumerated() {
                let (key, (rows, own)) = try await caller.value
                #expect(try own.first?.get("n") == number)
                #expect(rows.count == (number == 0 ? 0 : 2))
                for (index, row) in rows.enumerated() {
                    #expect(try [row.get("one"), row.get("other")] == key)
                    #expect(try row.get("number") == index + 1)
                    #expect(try row.get("callers") == 8)
                }
            }
        }
    }

    /// Guard: a failed read fails no other read of its message (`PostgresConnection.run`)
    @Test("a read that fails does not fail those that share its message")
    func failureAmongOthers() async throws {
        try await withBlockedReads { client, unblock in
            let readers = (0..<5).map { caller in
                Task { try await client.read("SELECT 6 / \(caller) AS x").first?.get("x", as: Int.self) }
            }
            try await unblock()
            for (caller, reader) in readers.enumerated() {
                let result = await reader.result
                if caller == 0 {
                    #expect(throws: PostgresError.self) { try result.get() }
                } else {
                    #expect(try result.get() == 6 / caller)
                }
            }
        }
    }

    /// Guard: a message is cancelled only when none of its callers waits (`StatementGate.State.isWanted`)
    @Test("a cancelled read does not cancel those that share its message")
    func cancellationAmongOthers() async throws {
        try await withBlockedReads { client, unblock in
            let cancelled = Task { try await client.read("SELECT 1 AS x, pg_sleep(0.5)") }
            let other = Task { try await client.read("SELECT 2 AS x, pg_sleep(0.5)") }
            try await unblock()
            try await Task.sleep(for: .milliseconds(200))
            cancelled.cancel()
            #expect(try await other.value.first?.get("x") == 2)
            _ = await cancelled.result
        }
    }

    /// Guard: a read waits no longer than 20 ms for a connection that does not answer
    /// (`PoolStateMachine.isReading`, `.isOld`)
    /// Guard: a message is cancelled only when none of its callers waits (`StatementGate.State.isWanted`)
    @Test("reads that hang do not hold up the next ones")
    func hangingReads() async throws {
        try await withClient {
            $0.statementTimeout = .zero
        } _: { client, _ in
            var hanging: [Task<[PostgresRow], any Error>] = []
            for count in 1...2 {
                hanging.append(Task { try await client.read("SELECT pg_sleep(600)") })
                // A read that came before would wait for the connection with it, and share its message.
                try await eventually("the read hangs") {
                    try await client.transaction { tx in
                        try tx.one(
                            """
                            SELECT count(*) AS n FROM pg_stat_activity
                            WHERE datname = current_database() AND wait_event = 'PgSleep'
                            """
                        ).get("n") == count
                    }
                }
            }
            #expect(try await client.read("SELECT 1 AS x").first?.get("x") == 1)
            for task in hanging { task.cancel() }
            for task in hanging {
                await #expect(throws: PostgresError.self) { _ = try await task.value }
            }
        }
    }

    /// Guard: two statements fit into one message: both stay prepared, and behind a pooler the settings'
    /// answer is not theirs (`StatementCache`, `PostgresConnection.executeUnnamed`)
    @Test("behind a pooler both are answered with the client's settings")
    func pooled() async throws {
        try await withPooler("default_pool_size=1") { _, url in
            let client = makeClient(url) { $0.statementTimeout = .milliseconds(4_321) }
            for round in 0..<3 {
                let (first, second) = try await client.read(
                    "SELECT \(round) AS n", then: "SELECT current_setting('statement_timeout') AS t")
                #expect(try first.first?.get("n") == round)
                #expect(try second.first?.get("t") == "4321ms")
            }
            await client.close()
        }
    }
}

/// Runs `body` with a client whose only connection is busy until `body` calls the closure, so that all reads before that share
/// one message.
private func withBlockedReads(
    _ body: (PostgresClient, () async throws -> Void) async throws -> Void
) async throws {
    try await withClient {
        $0.maxConnections = 1
    } _: { client, _ in
        let isFree = DispatchSemaphore(value: 0)
        let blocker = Task { try await client.transaction { _ in isFree.wait() } }
        try await body(client) {
            // Tasks that have just begun have yet to ask for the connection.
            try await Task.sleep(for: .milliseconds(200))
            isFree.signal()
            try await blocker.value
        }
    }
}

extension PostgresClient {
    fileprivate func read(_ sql: SQL) async throws -> [PostgresRow] {
        try await read(.statement(sql))
    }

    fileprivate func read(
        _ first: SQL, then second: SQL
    ) async throws(PostgresError) -> (first: [PostgresRow], second: [PostgresRow]) {
        try await read(.statement(first), then: .statement(second))
    }
}
