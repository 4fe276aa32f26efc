import DaylyTesting
import Foundation
import Logging
import Synchronization
import Testing

@testable import Postgres

@Suite("Signals of commits")
struct CommitSignalTests {
    private static let raise: SQL = """
        DO $$ BEGIN RAISE INFO USING ERRCODE = 'DY001', MESSAGE = 'news from SQL'; RAISE INFO 'not one'; END $$
        """

    /// Guard: a signal reaches its receivers after the commit, and never after a rollback
    /// (`PostgresTransaction.perform`, `PendingSignals`)
    @Test("a transaction's signals arrive after its commit, and never without one")
    func afterCommit() async throws {
        try await withDatabase { client in
            let heard = Heard()
            let subscription = client.signals.subscribe(to: ["news"]) { heard.add($0) }
            try await client.transaction { tx in
                tx.signal(CommitSignal(channel: "news", payload: "from code"))
                tx.signal(CommitSignal(channel: "weather", payload: "to others"))
                try tx.execute(Self.raise)
                #expect(heard.payloads == [])
            }
            #expect(heard.payloads == ["from code", "from SQL"])
            struct Undone: Error {}
            await #expect(throws: Undone.self) {
                try await client.transaction { tx in
                    tx.signal(CommitSignal(channel: "news", payload: "undone"))
                    try tx.execute(Self.raise)
                    throw Undone()
                }
            }
            await #expect(throws: PostgresError.self) {
                try await client.execute(
                    "DO $$ BEGIN RAISE INFO USING ERRCODE = 'DY001', MESSAGE = 'news no'; ASSERT false; END $$"
                )
            }
            try await client.execute("SELECT 1")
            #expect(heard.payloads.count == 2)
            // A statement that is its own transaction.
            try await client.execute(Self.raise)
            #expect(heard.payloads.count == 3)
            withExtendedLifetime(subscription) {}
        }
    }

    /// Guard: the notifier sends everything gathered in one notification (`CommitNotifier.notify`)
    @Test("collected signals go out in one notification, and the last ones at the end")
    func notifier() async throws {
        try await withDatabase { client in
            let listening = Mutex(false)
            let stream = client.listen(channel: "news") { listening.withLock { $0 = true } }
            try await eventually("the test listens") { listening.withLock { $0 } }
            let notifier = CommitNotifier(
                client.configuration, channels: ["news"], logger: Logger(label: "test"))
            for number in 1...300 {
                try await client.transaction { tx in
                    tx.signal(CommitSignal(channel: "news", payload: "\(number) \(UUID())"))
                    tx.signal(CommitSignal(channel: "weather"))
                }
            }
            let running = Task { try await notifier.run() }
            var told: [String] = []
            var lines: Set<Int> = []
            for try await payload in stream {
                told.append(payload)
                for line in payload.split(separator: "\n") {
                    lines.insert(Int(line.split(separator: " ").first ?? "") ?? 0)
                }
                if lines.count == 300 { break }
            }
            #expect(lines == Set(1...300))
            #expect(told.count == 2, "300 lines of 40 bytes need two payloads")
            running.cancel()
            try await running.value
        }
    }

    /// Guard: a signal without a payload stands for its whole channel (`CommitNotifier.notifications`)
    @Test("a payload that stands for too many is empty, and one notification is shorter than 8,000 bytes")
    func payloads() {
        let signals = Set((0..<1_000).map { CommitSignal(channel: "news", payload: "line \($0)") })
        let notifications = CommitNotifier.notifications(of: signals)
        #expect(notifications.allSatisfy { $0.payload.utf8.count < 8_000 })
        #expect(Set(notifications.flatMap { $0.payload.split(separator: "\n") }).count == 1_000)
        let all = CommitSignal(channel: "news")
        #expect(CommitNotifier.notifications(of: [all]).map(\.payload) == [""])
        #expect(CommitNotifier.notifications(of: signals.union([all])).map(\.payload) == [""])
    }
}

private final class Heard: Sendable {
    private let signals = Mutex<[CommitSignal]>([])

    var payloads: [String] { signals.withLock { $0.map(\.payload) } }

    func add(_ more: [CommitSignal]) { signals.withLock { $0 += more } }
}
