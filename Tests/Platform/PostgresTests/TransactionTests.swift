import DaylyTesting
import Foundation
import Postgres
import Testing

@Suite("Transactions")
struct TransactionTests {
    private struct Refused: Error {}

    private func makeTable(_ client: PostgresClient) async throws {
        try await client.execute(
            "CREATE TABLE t (id integer CONSTRAINT t_only_once PRIMARY KEY, n integer CHECK (n < 1000))")
        try await client.execute("INSERT INTO t VALUES (1, 0), (2, 0)")
    }

    private func sum(_ client: PostgresClient) async throws -> Int? {
        try await client.first("SELECT sum(n) AS s FROM t")?.get("s")
    }

    @Test("the body's changes are kept, and its value is returned")
    func commits() async throws {
        try await withDatabase { client in
            try await makeTable(client)
            let changed = try await client.transaction { transaction in
                let rows = try transaction.query("SELECT id FROM t FOR UPDATE")
                #expect(rows.count == 2)
                #expect(try transaction.first("SELECT id FROM t WHERE id = \(9)") == nil)
                return try transaction.execute("UPDATE t SET n = n + 1")
            }
            #expect(changed == 2)
            #expect(try await sum(client) == 2)
        }
    }

    @Test("the body's error is thrown, and its changes are not kept")
    func rollsBack() async throws {
        try await withDatabase { client in
            try await makeTable(client)
            await #expect(throws: Refused.self) {
                try await client.transaction { transaction in
                    try transaction.execute("UPDATE t SET n = 5")
                    throw Refused()
                }
            }
            #expect(try await sum(client) == 0)
        }
    }

    @Test("a failed statement that the body hides still fails the transaction")
    func hiddenFailure() async throws {
        try await withDatabase { client in
            try await makeTable(client)
            let error = await failure {
                try await client.transaction { transaction in
                    try transaction.execute("UPDATE t SET n = 5")
                    _ = try? transaction.execute("INSERT INTO t VALUES (1, 1)")
                }
            }
            #expect(error?.constraint == "t_only_once")
            #expect(try await sum(client) == 0)
        }
    }

    @Test("a failure behind a savepoint may be hidden")
    func savepoint() async throws {
        try await withDatabase { client in
            try await makeTable(client)
            try await client.transaction { transaction in
                try transaction.execute("UPDATE t SET n = 5")
                try transaction.execute("SAVEPOINT here")
                _ = try? transaction.execute("INSERT INTO t VALUES (1, 1)")
                try transaction.execute("ROLLBACK TO SAVEPOINT here")
            }
            #expect(try await sum(client) == 10)
        }
    }

    @Test("violations carry SQLSTATE, constraint and table")
    func violations() async throws {
        try await withDatabase { client in
            try await makeTable(client)
            guard
                case .server(let error)? = await failure({ try await client.execute("UPDATE t SET n = 1000") }
                )
            else {
                Issue.record("no server error")
                return
            }
            #expect(error.sqlState == "23514")
            #expect(error.constraint == "t_n_check")
            #expect(error.table == "t")
        }
    }

    @Test("two clients insert the same key: one wins, the other gets the reason")
    func uniqueRace() async throws {
        try await withClient { one, database in
            try await makeTable(one)
            let two = database.client
            for round in 10..<40 {
                async let first = failure { try await one.execute("INSERT INTO t VALUES (\(round), 0)") }
                async let second = failure { try await two.execute("INSERT INTO t VALUES (\(round), 0)") }
                let errors = await [first, second].compactMap { $0 }
                #expect(errors.count == 1)
                #expect(errors.first?.constraint == "t_only_once")
            }
        }
    }

    @Test("two clients that count up under a row lock lose nothing")
    func countingRace() async throws {
        try await withClient { one, database in
            try await makeTable(one)
            let clients = [one, database.client]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<100 {
                    group.addTask {
                        try await clients[index % 2].transaction { transaction in
                            let row = try transaction.first("SELECT n FROM t WHERE id = 1 FOR UPDATE")
                            let n: Int = try row?.get("n") ?? 0
                            try transaction.execute("UPDATE t SET n = \(n + 1)::integer WHERE id = 1")
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await sum(one) == 100)
        }
    }

    /// Guard: deadlocks, serialization failures and stale plans are retried in one place
    /// (`PostgresClient.repeating`)
    @Test("a deadlock is repeated, and both get through")
    func deadlock() async throws {
        try await withDatabase { client in
            try await makeTable(client)
            let (runs, holding) = (Counter(), Counter())
            @Sendable func lock(_ first: Int, _ second: Int) async throws {
                try await client.transaction { transaction in
                    runs.increment()
                    try transaction.execute("UPDATE t SET n = n + 1 WHERE id = \(first)")
                    holding.increment()
                    while holding.value < 2 { usleep(1000) }
                    try transaction.execute("UPDATE t SET n = n + 1 WHERE id = \(second)")
                }
            }
            async let one: Void = lock(1, 2)
            async let two: Void = lock(2, 1)
            _ = try await (one, two)
            #expect(runs.value >= 3)
            #expect(try await sum(client) == 4)
        }
    }

    @Test("serializable transactions that collide are repeated until each is done")
    func serializationFailure() async throws {
        try await withDatabase { client in
            try await makeTable(client)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await client.transaction { transaction in
                            try transaction.execute("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE")
                            let row = try transaction.first("SELECT n FROM t WHERE id = 1")
                            let n: Int = try row?.get("n") ?? 0
                            try transaction.execute("UPDATE t SET n = \(n + 1)::integer WHERE id = 1")
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await sum(client) == 4)
        }
    }

    @Test("repeating has an end, and an error that the body translated is repeated all the same")
    func boundedRepeats() async throws {
        try await withDatabase { client in
            let runs = Counter()
            let error = await failure {
                try await client.transaction { transaction in
                    runs.increment()
                    do {
                        try transaction.execute("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$")
                    } catch {
                        throw Refused()
                    }
                }
            }
            #expect(error?.sqlState == "40001")
            #expect(runs.value == 6)
        }
    }

    @Test("other errors are not repeated")
    func noNeedlessRepeats() async throws {
        try await withDatabase { client in
            let runs = Counter()
            let error = await failure {
                try await client.transaction { transaction in
                    runs.increment()
                    try transaction.execute("SELECT 1 / 0")
                }
            }
            #expect(error?.sqlState == "22012")
            #expect(runs.value == 1)
        }
    }

    @Test("a transaction is read committed whatever the database's default is")
    func isolation() async throws {
        try await withClient { client, database in
            let name = try #require(database.url.split(separator: "/").last.map(String.init))
            try await database.client.execute(
                "ALTER DATABASE \(identifier: name) SET default_transaction_isolation = 'serializable'")
            let level = try await client.transaction { transaction in
                try transaction.first("SELECT current_setting('transaction_isolation') AS l")?.get(
                    "l", as: String.self)
            }
            #expect(level == "read committed")
        }
    }

    @Test("a transaction that was kept beyond its body does nothing")
    func usedTooLate() async throws {
        try await withDatabase { client in
            try await makeTable(client)
            let error = await failure {
                try await client.transaction { transaction in
                    final class Box { var transaction: PostgresTransaction? }
                    let box = Box()
                    box.transaction = transaction
                    try transaction.execute("UPDATE t SET n = 1")
                    try transaction.execute("COMMIT")
                }
            }
            #expect(error?.isUnavailable == true, "a body that ends its own transaction is told so")
        }
    }
}
