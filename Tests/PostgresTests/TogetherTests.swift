import DaylyTesting
import Foundation
import Testing

@testable import Postgres

@Suite("Two statements in one message")
struct TogetherTests {
    @Test("both are answered, with their own parameters, as of one time")
    func both() async throws {
        try await withClient { client, _ in
            for round in 0..<3 {
                let (first, second) = try await client.query(
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
                    _ = try await client.query(first, then: second)
                }
                guard case .server(let report)? = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(report.sqlState == "22012")
                #expect(try await client.query(good, then: good).second.first?.get("x") == 1)
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
            _ = try await client.query(one, then: all)
            try await client.execute("ALTER TABLE t ALTER COLUMN id TYPE bigint")
            #expect(try await client.query(one, then: all).second.first?.get("id") == 7)
            try await client.execute("DEALLOCATE ALL")
            #expect(try await client.query(all, then: one).first.first?.get("id") == 7)
        }
    }

    @Test("the smallest number of prepared statements is enough for both")
    func smallCache() async throws {
        try await withClient {
            $0.maxConnections = 1
            $0.maxPreparedStatements = 1
        } _: { client, _ in
            for round in 0..<5 {
                let (first, second) = try await client.query(
                    SQL(unchecked: "SELECT \(round) AS x"), then: SQL(unchecked: "SELECT -\(round) AS x"))
                #expect(try first.first?.get("x") == round)
                #expect(try second.first?.get("x") == -round)
            }
        }
    }

    @Test("a cancelled task ends the statement that runs")
    func cancellation() async throws {
        try await withClient { client, _ in
            let clock = ContinuousClock.now
            let task = Task { try await client.query("SELECT 1", then: "SELECT pg_sleep(20)") }
            try await Task.sleep(for: .milliseconds(300))
            task.cancel()
            await #expect(throws: PostgresError.self) { _ = try await task.value }
            #expect(ContinuousClock.now - clock < .seconds(10))
            #expect(try await client.query("SELECT 1 AS x", then: "SELECT 2 AS x").second.count == 1)
        }
    }

    @Test("behind a pooler both are answered with the client's settings")
    func pooled() async throws {
        try await withPooler("default_pool_size=1") { _, url in
            let client = makeClient(url) { $0.statementTimeout = .milliseconds(4_321) }
            for round in 0..<3 {
                let (first, second) = try await client.query(
                    "SELECT \(round) AS n", then: "SELECT current_setting('statement_timeout') AS t")
                #expect(try first.first?.get("n") == round)
                #expect(try second.first?.get("t") == "4321ms")
            }
            await client.close()
        }
    }
}
