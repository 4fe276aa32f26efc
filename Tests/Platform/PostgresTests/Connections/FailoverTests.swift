import DaylyTesting
import Foundation
import Postgres
import Synchronization
import Testing

@Suite("A failover")
struct FailoverTests {
    /// Writes one row after the other until it is stopped, and notes which were acknowledged.
    private final class Writers: Sendable {
        private struct State {
            var acknowledged: Set<Int> = []
            var failures: [PostgresError] = []
            var isStopped = false
        }

        private let state = Mutex(State())
        private let next = Counter()

        var acknowledged: Set<Int> { state.withLock { $0.acknowledged } }
        var failures: [PostgresError] { state.withLock { $0.failures } }
        func stop() { state.withLock { $0.isStopped = true } }

        func run(_ client: PostgresClient) async {
            await withTaskGroup(of: Void.self) { group in
                for place in 0..<4 {
                    group.addTask { await self.write(client, inTransaction: place % 2 == 0) }
                }
            }
        }

        private func write(_ client: PostgresClient, inTransaction: Bool) async {
            while !state.withLock({ $0.isStopped }) {
                let id = next.increment()
                let insert: SQL = "INSERT INTO t VALUES (\(id))"
                let error = await failure {
                    if inTransaction {
                        try await client.transaction { _ = try $0.execute(insert) }
                    } else {
                        try await client.execute(insert)
                    }
                }
                state.withLock { state in
                    if let error { state.failures.append(error) } else { state.acknowledged.insert(id) }
                }
                try? await Task.sleep(for: .milliseconds(error == nil ? 2 : 50))
            }
        }
    }

    @Test(
        "when the primary is killed and its standby promoted, writing goes on, and no acknowledged row is missing"
    )
    func promotion() async throws {
        try await PostgresPair.run { pair in
            let client = makeClient(pair.url)
            try await client.execute("CREATE TABLE t (id integer PRIMARY KEY)")
            let listening = Counter()
            let listener = Task {
                for try await _ in client.listen(channel: "c", onListening: { listening.increment() }) {}
            }
            let writers = Writers()
            async let writing: Void = writers.run(client)
            try await eventually { writers.acknowledged.count > 100 && listening.value == 1 }
            try await pair.killPrimary()
            try await pair.promoteStandby()
            let before = writers.acknowledged.count
            try await eventually { writers.acknowledged.count > before + 100 }
            try await eventually("a listener at the new primary") { listening.value == 2 }
            writers.stop()
            await writing
            let rows = try await client.query("SELECT id FROM t").map { try $0.get("id", as: Int.self) }
            #expect(writers.acknowledged.subtracting(rows).isEmpty)
            // The API answers each of these by 503 with Retry-After.
            let expected: [PostgresError] = [.commitOutcomeUnknown, .acquireTimeout]
            #expect(writers.failures.allSatisfy { $0.isUnavailable || expected.contains($0) })
            listener.cancel()
            await client.close()
        }
    }

    /// Guard: a transaction that a read-only server refuses runs on another server
    /// (`NothingDone.takesNoWrites`)
    /// Guard: a lost or read-only server loses all connections of the pool, busy ones when their requests end
    /// (`PoolStateMachine.lostServer`)
    /// Guard: LISTEN moves to the new primary (`ListenerRegistry.hangUpAll`)
    @Test(
        "a transaction that meets a server without writes runs on the new primary, and all connections move there"
    )
    func readOnly() async throws {
        try await PostgresPair.run { pair in
            let client = makeClient(pair.url) { $0.applicationName = "mover" }
            try await client.execute("CREATE TABLE t (id integer PRIMARY KEY)")
            let (listening, heard) = (Counter(), Counter())
            let listener = Task {
                for try await _ in client.listen(channel: "c", onListening: { listening.increment() }) {
                    heard.increment()
                }
            }
            // One connection stays busy while the server changes; the others are idle.
            _ = try await atOnce(4) { _ in try await client.query("SELECT pg_sleep(0.2)") }
            try await eventually { listening.value == 1 }
            let old = makeClient(pair.primaryURL) { $0.maxConnections = 1 }
            let count: SQL = "SELECT count(*) AS c FROM pg_stat_activity WHERE application_name = 'mover'"
            #expect(try await old.first(count)?.get("c") == 5)
            let busy = Task { try await client.query("SELECT pg_sleep(5)") }
            try await Task.sleep(for: .milliseconds(200))

            // As a managed database does it: sessions stay, and take no writes any more.
            _ = try await old.query("ALTER SYSTEM SET default_transaction_read_only = on")
            _ = try await old.query("SELECT pg_reload_conf()")
            try await pair.promoteStandby()
            try await Task.sleep(for: .milliseconds(200))
            try await client.transaction { _ = try $0.execute("INSERT INTO t VALUES (1)") }
            try await client.execute("INSERT INTO t VALUES (2)")

            try await eventually { try await old.first(count)?.get("c") == 1 }
            try await eventually("a listener at the new primary") { listening.value == 2 }
            try await client.execute("SELECT pg_notify('c', '')")
            try await eventually { heard.value == 1 }
            _ = try await busy.value
            try await eventually("the end of the busy connection") {
                try await old.first(count)?.get("c") == 0
            }
            #expect(try await client.first("SELECT count(*) AS c FROM t")?.get("c") == 2)
            listener.cancel()
            await client.close()
            await old.close()
        }
    }

    /// Guard: a commit without its standby is not acknowledged (`PendingSignals.isCommitAlone`)
    @Test("a commit whose wait for the standby was cancelled is not acknowledged")
    func commitAlone() async throws {
        try await withServer { _, url in
            let admin = makeClient(url) { $0.maxConnections = 1 }
            try await admin.execute("CREATE TABLE t (id integer PRIMARY KEY)")
            _ = try await admin.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
            _ = try await admin.query("SELECT pg_reload_conf()")
            // The client itself cancels a statement that its time limit did not end.
            let client = makeClient(url) { $0.statementTimeout = .milliseconds(500) }
            let alone = await failure { try await client.execute("INSERT INTO t VALUES (1)") }
            #expect(alone == .commitOutcomeUnknown)
            let waiting = Task {
                await failure {
                    try await client.transaction { _ = try $0.execute("INSERT INTO t VALUES (2)") }
                }
            }
            let cancel: SQL = """
                SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'
                """
            try await eventually { try await !admin.query(cancel).isEmpty }
            #expect(await waiting.value == .commitOutcomeUnknown)
            #expect(try await admin.first("SELECT count(*) AS c FROM t")?.get("c") == 2)
            await client.close()
            await admin.close()
        }
    }

    /// Guard: a server that says it ends counts as lost (`PostgresConnection.noteServerState`)
    @Test("a server that says it ends counts as lost: what had not begun there runs on another connection")
    func ending() async throws {
        try await withClient {
            $0.maxConnections = 1
        } _: { client, database in
            try await client.execute("CREATE TABLE t (id integer)")
            let raise: SQL = "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '57P01', MESSAGE = 'going'; END $$"
            let backend: SQL = "SELECT pg_backend_pid() AS pid"
            for _ in 0..<2 {
                let before = try await client.first(backend)?.get("pid", as: Int.self)
                let error = await failure { try await client.transaction { _ = try $0.query(raise) } }
                #expect(error?.isUnavailable == true)
                #expect(try await client.first(backend)?.get("pid", as: Int.self) != before)
            }
        }
    }

    /// Guard: the next connection begins with the host that took the last one (`LatestHost`)
    @Test("a host that does not answer delays one connection, not each")
    func silentHost() async throws {
        try await withTestDatabase { database in
            let port = try #require(URLComponents(string: database.url)?.port)
            let proxy = try TCPProxy(to: port)
            proxy.set { $0.isSilent = true }
            defer { proxy.set { $0.isSilent = false } }
            let url = database.url.replacing(
                "127.0.0.1:\(port)", with: "127.0.0.1:\(proxy.port),127.0.0.1:\(port)")
            let client = makeClient(url) { $0.acquireTimeout = .seconds(10) }
            let first = ContinuousClock.now
            _ = try await client.query("SELECT 1")
            #expect(ContinuousClock.now - first > .seconds(1))
            let tried = proxy.connections
            _ = try await atOnce(4) { _ in try await client.query("SELECT pg_sleep(1)") }
            #expect(tried > 0 && proxy.connections == tried, "new connections begin with the other host")
            await client.close()
        }
    }

    @Test(
        "hosts are read as libpq reads them",
        arguments: [
            ("postgresql://u:p@one/d", 1, true), ("postgresql://u@one,two:5433,three/d", 3, true),
            ("postgresql://u@one,two/d?target_session_attrs=any", 2, false),
            ("postgresql://u@one,two/d?target_session_attrs=primary", 2, true),
            ("postgresql:///d?host=/run/a,/run/b&target_session_attrs=standby", 2, false),
            ("postgresql:///d?hostaddr=10.0.0.1,10.0.0.2", 2, true),
            ("postgresql://u:%zz@one,two/d", 1, true),
        ])
    func hosts(url: String, count: Int, findsPrimary: Bool) {
        let hosts = DatabaseHosts(url: url)
        #expect(hosts.count == count)
        #expect(hosts.findsPrimary == findsPrimary)
    }
}
