import DaylyTesting
import Postgres
import Testing

@Suite("LISTEN")
struct ListenTests {
    @Test("notifications arrive in order, also on a channel with a strange name")
    func receives() async throws {
        try await withDatabase { client in
            let listening = Counter()
            let channel = "Group \"7\"; x"
            let received = Task {
                var payloads: [String] = []
                for try await payload in client.listen(
                    channel: channel, onListening: { listening.increment() })
                {
                    payloads.append(payload)
                    if payloads.count == 3 { break }
                }
                return payloads
            }
            try await eventually { listening.value == 1 }
            for payload in ["a", "", "å"] {
                try await client.execute("SELECT pg_notify(\(channel), \(payload))")
            }
            #expect(try await received.value == ["a", "", "å"])
        }
    }

    @Test("it listens again after its connection was lost, and says so")
    func listensAgain() async throws {
        try await withClient {
            $0.applicationName = "listener"
        } _: { client, database in
            let listening = Counter()
            let stream = client.listen(channel: "news") { listening.increment() }
            for round in 1...3 {
                try await eventually { listening.value == round }
                try await client.execute("SELECT pg_notify('news', \(String(round)))")
                if round == 3 { break }
                // Waits until the notification has been delivered.
                try await Task.sleep(for: .milliseconds(100))
                _ = try await database.client.query(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND query LIKE 'LISTEN%'
                    """)
            }
            var payloads: [String] = []
            for try await payload in stream {
                payloads.append(payload)
                if payloads.count == 3 { break }
            }
            #expect(payloads == ["1", "2", "3"])
        }
    }

    @Test("its connection goes with the reader's task, and with the client")
    func ends() async throws {
        try await withClient { client, database in
            let count: SQL = """
                SELECT count(*) AS c FROM pg_stat_activity
                WHERE datname = current_database() AND query LIKE 'LISTEN%'
                """
            let listening = Counter()
            let reader = Task {
                for try await _ in client.listen(channel: "a", onListening: { listening.increment() }) {}
            }
            let other = Task {
                for try await _ in client.listen(channel: "b", onListening: { listening.increment() }) {}
            }
            try await eventually { listening.value == 2 }
            reader.cancel()
            _ = try await reader.value
            try await eventually { try await database.client.first(count)?.get("c") == 1 }
            await client.close()
            _ = try await other.value
            try await eventually { try await database.client.first(count)?.get("c") == 0 }
            for try await _ in client.listen(channel: "c") { Issue.record("a closed client listens") }
        }
    }
}
