import DaylyTesting
import Foundation
import Postgres
import Testing

@Suite("Timeouts and cancellation")
struct CancellationTests {
    private func active(_ client: PostgresClient, _ text: String) async throws -> Int {
        let row = try await client.first(
            """
            SELECT count(*) AS c FROM pg_stat_activity
            WHERE datname = current_database() AND state <> 'idle' AND query LIKE \(text + "%")
            """)
        return try row?.get("c") ?? -1
    }

    @Test("a statement that takes too long is ended, by the server")
    func statementTimeout() async throws {
        try await withClient {
            $0.statementTimeout = .milliseconds(200)
        } _: { client, _ in
            let error = await failure { try await client.query("SELECT pg_sleep(600)") }
            #expect(error == .unavailable(.statementTimeout))
            _ = try await client.query("SELECT 1")
        }
    }

    @Test("a lock that is not granted in time is unavailable, NOWAIT's refusal is the statement's own")
    func lockTimeout() async throws {
        try await withClient {
            $0.lockTimeout = .milliseconds(200)
        } _: { client, database in
            try await client.execute("CREATE TABLE t (id integer)")
            try await client.execute("INSERT INTO t VALUES (1)")
            let locked = Counter()
            let released = Counter()
            async let holder: Void = database.client.transaction { transaction in
                _ = try transaction.query("SELECT id FROM t FOR UPDATE")
                locked.increment()
                while released.value == 0 { usleep(10_000) }
            }
            try await eventually { locked.value == 1 }
            let waited = await failure { try await client.query("SELECT id FROM t FOR UPDATE") }
            #expect(waited == .unavailable(.lockTimeout))
            let refused = await failure { try await client.query("SELECT id FROM t FOR UPDATE NOWAIT") }
            #expect(refused?.sqlState == "55P03")
            released.increment()
            try await holder
        }
    }

    @Test("a caller gets an error if every connection is busy for too long")
    func acquireTimeout() async throws {
        try await withClient {
            $0.maxConnections = 1
            $0.acquireTimeout = .seconds(1)
        } _: { client, _ in
            _ = try await client.query("SELECT 1")
            async let slow = client.query("SELECT pg_sleep(3)")
            try await Task.sleep(for: .milliseconds(300))
            #expect(await failure { try await client.query("SELECT 1") } == .acquireTimeout)
            _ = try await slow
            _ = try await client.query("SELECT 1")
        }
    }

    @Test("a cancelled task ends its statement on the server")
    func cancelsStatement() async throws {
        try await withClient {
            $0.statementTimeout = .zero
        } _: { client, _ in
            let task = Task { await failure { try await client.query("SELECT pg_sleep(600)") } }
            try await eventually { try await active(client, "SELECT pg_sleep(600)") == 1 }
            task.cancel()
            #expect(await task.value?.isUnavailable == true)
            #expect(try await active(client, "SELECT pg_sleep(600)") == 0)
        }
    }

    @Test("a cancelled task that waits for a connection waits no longer")
    func cancelsWaiting() async throws {
        try await withClient {
            $0.maxConnections = 1
        } _: { client, _ in
            let (taken, released) = (Counter(), Counter())
            async let holder: Void = client.transaction { _ in
                taken.increment()
                while released.value == 0 { usleep(10_000) }
            }
            try await eventually { taken.value == 1 }
            let task = Task { await failure { try await client.query("SELECT 1") } }
            try await Task.sleep(for: .milliseconds(50))
            task.cancel()
            #expect(await task.value == .unavailable(.cancelled))
            released.increment()
            try await holder
        }
    }

    @Test("a task that was cancelled before sends nothing")
    func cancelledBefore() async throws {
        try await withDatabase { client in
            try await client.execute("CREATE TABLE t (id integer)")
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                return await failure { try await client.execute("INSERT INTO t VALUES (1)") }
            }
            task.cancel()
            #expect(await task.value == .unavailable(.cancelled))
            #expect(try await client.first("SELECT count(*) AS c FROM t")?.get("c") == 0)
        }
    }

    @Test("a transaction whose task is cancelled between statements is rolled back")
    func cancelsTransaction() async throws {
        try await withDatabase { client in
            try await client.execute("CREATE TABLE t (id integer)")
            let (inserted, cancelled) = (Counter(), Counter())
            let task = Task {
                await failure {
                    try await client.transaction { transaction in
                        try transaction.execute("INSERT INTO t VALUES (1)")
                        inserted.increment()
                        while cancelled.value == 0 { usleep(1000) }
                    }
                }
            }
            try await eventually { inserted.value == 1 }
            task.cancel()
            try await Task.sleep(for: .milliseconds(50))
            cancelled.increment()
            #expect(await task.value == .unavailable(.cancelled))
            #expect(try await client.first("SELECT count(*) AS c FROM t")?.get("c") == 0)
        }
    }

    /// Guard: a late cancel does not hit the next statement (`StatementGate.end`)
    @Test("a cancel request that is late does not hit the next statement", arguments: [400, 3_000])
    func lateCancel(delay: Int) async throws {
        try await withProxy {
            $0.maxConnections = 1
        } _: { client, proxy, _ in
            _ = try await client.query("SELECT 1")
            proxy.set { $0.cancelDelay = .milliseconds(delay) }
            let task = Task { await failure { try await client.query("SELECT pg_sleep(0.2)") } }
            try await Task.sleep(for: .milliseconds(80))
            task.cancel()
            _ = await task.value
            // Long enough to be running when the request arrives, if it began while the request was under way.
            let error = await failure {
                try await client.query("SELECT pg_sleep(\(Double(delay) / 1000 + 0.5))")
            }
            #expect(error == nil)
        }
    }

    @Test("many cancelled at random moments leave every other statement alone")
    func cancelStorm() async throws {
        try await withClient {
            $0.maxConnections = 2
        } _: { client, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<60 {
                    group.addTask {
                        if index.isMultiple(of: 2) {
                            let task = Task { try await client.query("SELECT pg_sleep(0.02)") }
                            try await Task.sleep(for: .milliseconds(Int.random(in: 0...200)))
                            task.cancel()
                            _ = try? await task.value
                        } else {
                            _ = try await client.query("SELECT pg_sleep(0.01)")
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    /// Guard: a server that falls silent during the handshake does not hold a place in the pool
    /// (`PostgresConnection.runScript`)
    @Test("a server that falls silent while a session begins holds no place in the pool")
    func silentBeginning() async throws {
        try await withProxy {
            $0.maxConnections = 1
            $0.acquireTimeout = .milliseconds(300)
            $0.connectTimeout = .seconds(1)
        } _: { client, proxy, _ in
            proxy.set { $0.swallow = "set_config" }
            #expect(await failure { try await client.query("SELECT 1") }?.isUnavailable == true)
            proxy.set { $0.swallow = nil }
            // The pool allows one connection. It is closed, and a new one is opened.
            try await eventually {
                await failure { try await client.query("SELECT 1") } == nil
            }
        }
    }

    @Test("a server that falls silent holds nobody for ever")
    func silentServer() async throws {
        try await withProxy {
            $0.statementTimeout = .milliseconds(500)
        } _: { client, proxy, _ in
            _ = try await client.query("SELECT 1")
            proxy.set { $0.isSilent = true }
            let clock = ContinuousClock.now
            let error = await failure { try await client.query("SELECT 1") }
            #expect(error?.isUnavailable == true)
            #expect(ContinuousClock.now - clock < .seconds(12))
            proxy.set { $0.isSilent = false }
            #expect(try await client.first("SELECT 1 AS x")?.get("x") == 1)
        }
    }
}
