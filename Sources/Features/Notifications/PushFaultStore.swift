import Foundation
import Postgres
import Push
import Synchronization

/// A provider's refusal of our credentials, as a running service has recorded it.
package struct PushFault: Sendable {
    package let platform: PushPlatform
    package let reason: String
    /// When the refusals began.
    package let since: Date
}

/// SQL about `push_faults`: the faults that running services have seen in push credentials, for `dayly doctor`.
package struct PushFaultStore: Sendable {
    let postgres: PostgresClient

    package init(postgres: PostgresClient) {
        self.postgres = postgres
    }

    package func all() async throws -> [PushFault] {
        try await postgres.query("SELECT platform, reason, since FROM push_faults ORDER BY platform")
            .compactMap { row in
                guard let platform = PushPlatform(rawValue: try row.get("platform")) else { return nil }
                return PushFault(
                    platform: platform, reason: try row.get("reason"), since: try row.get("since"))
            }
    }

    func record(_ reason: String, of platform: PushPlatform) async throws {
        try await postgres.execute(
            """
            INSERT INTO push_faults (platform, reason) VALUES (\(platform.rawValue), \(reason))
            ON CONFLICT (platform) DO UPDATE SET reason = excluded.reason
            """)
    }

    func clear(_ platform: PushPlatform) async throws {
        try await postgres.execute("DELETE FROM push_faults WHERE platform = \(platform.rawValue)")
    }
}

/// Records the beginning and the end of a provider's fault. It repeats the same record at most once a minute, because another
/// process may have recorded something else meanwhile.
final class PushFaultLog: Sendable {
    private struct Entry {
        let isFaulty: Bool
        let writtenAt: ContinuousClock.Instant
    }

    let store: PushFaultStore
    /// The last record of this process for each platform.
    private let entries = Mutex<[PushPlatform: Entry]>([:])

    init(store: PushFaultStore) {
        self.store = store
    }

    func record(_ reason: String, of platform: PushPlatform) async {
        await change(platform, to: true) { try await $0.record(reason, of: platform) }
    }

    /// Records that a provider has accepted a message, which proves the credentials.
    func recordAccepted(by platform: PushPlatform) async {
        await change(platform, to: false) { try await $0.clear(platform) }
    }

    private func change(
        _ platform: PushPlatform, to value: Bool, _ write: (PushFaultStore) async throws -> Void
    ) async {
        let isDue = entries.withLock { entries in
            let now = ContinuousClock.now
            if let last = entries[platform], last.isFaulty == value, now < last.writtenAt + .seconds(60) {
                return false
            }
            entries[platform] = Entry(isFaulty: value, writtenAt: now)
            return true
        }
        guard isDue else { return }
        do {
            try await write(store)
        } catch {
            // The next answer of this kind tries again.
            entries.withLock { $0[platform] = nil }
        }
    }
}
