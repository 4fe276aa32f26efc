import Foundation
import Logging
import Metrics
import NIOCore
import ObjectStorage
import Postgres

/// Notices a database that went back in time, and keeps outside of it what must not come back with an old one.
///
/// The database has an epoch that only grows; the bucket has a journal whose segments carry the epochs they were written
/// under. A database whose epoch is below the journal's highest was restored from a backup. What is erased is recorded
/// by triggers, in the erasing transaction, and written to the journal under keyed hashes within moments, from where it
/// outlives any backup.
package actor RestoreGuard {
    package struct Settings: Sendable {
        /// Where the journal lies in the bucket; ends with a slash.
        package let prefix: String
        /// How often the bucket is told that the database is alive.
        package let beatInterval: Duration
        /// As long as the oldest backup that may ever be restored.
        package let journalLifetime: Duration

        package init(prefix: String, beatInterval: Duration, journalLifetime: Duration) {
            self.prefix = prefix
            self.beatInterval = beatInterval
            self.journalLifetime = journalLifetime
        }
    }

    /// Records in one segment.
    static let maxRecords = 1_000

    let store: GuardStore
    let objects: any ObjectStore
    let settings: Settings
    let key: JournalKey
    let logger: Logger

    /// The highest epoch that this process has seen; 0 until it has begun.
    private var seen = 0
    private var lastBeat: ObjectKey?
    private var housekeepingDue = ContinuousClock.now
    private var isFlushing = false
    private var isFlushWanted = false
    private var failedAt: ContinuousClock.Instant?
    private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    private var nextWaiter = 0

    /// - Parameter secret: the service's.
    package init(
        postgres: PostgresClient, objects: any ObjectStore, secret: [UInt8], settings: Settings,
        logger: Logger
    ) {
        store = GuardStore(postgres: postgres)
        self.objects = objects
        self.settings = settings
        key = JournalKey(secret: secret)
        self.logger = logger
    }

    /// How database and bucket stand to each other now. Changes nothing.
    ///
    /// - Throws: `ObjectStoreError`, `PostgresError`.
    package func examine() async throws -> RestoreVerdict {
        // The bucket first: an epoch that grows in between must not look like one that is missing.
        let last = try await lastSegment()
        return RestoreVerdict.judge(try await store.state().state, last)
    }

    /// Whether the journal still grows while nobody ought to use the database it belongs to: whoever does so uses
    /// another one with the same bucket.
    package func isInUseElsewhere(_ gap: RestoreVerdict.Gap) async throws -> Bool {
        let before = try await lastSegment()?.epoch ?? 0
        let now = try await store.state().now
        let pause = settings.beatInterval * 1.5
        guard now.timeIntervalSince(gap.to) < pause / .seconds(1) + 5 else { return false }
        try await Task.sleep(for: pause + .seconds(1))
        guard let after = try await lastSegment(), after.epoch > before else { return false }
        // Another instance may have mended this very database meanwhile.
        return try await examine() != .current
    }

    /// From now on this database is the one that the bucket knows: to be called once what was erased is erased again.
    package func begin() async throws {
        let last = try await lastSegment()
        let step = try await store.begin(above: last?.epoch ?? 0)
        try await write(step, .beat)
        let replaced = try await segments().filter { $0.content == .beat && $0.epoch < step.epoch }
        if !replaced.isEmpty { _ = try await objects.delete(replaced.map(\.key)) }
        failedAt = nil
        logger.debug("the bucket knows this database", metadata: ["epoch": "\(step.epoch)"])
    }

    /// The database's clock.
    package func now() async throws -> Date { try await store.state().now }

    /// Whether the bucket is still the one that this database is used with: its journal can be read and is not empty.
    package func knowsBucket() async throws -> Bool {
        guard let state = try await store.state().state, state.markedEpoch > 0 else { return true }
        return try await lastSegment()?.database == state.database
    }

    // MARK: - While the service runs

    /// Tells the bucket that the database is alive, where that is due, and writes down what waits.
    ///
    /// - Throws: `WentBack`, after which nothing may be served any more.
    package func tick() async throws {
        guard seen > 0 else { return }
        kick()
        guard let step = try await store.beat(every: settings.beatInterval, seen: seen) else { return }
        let previous = lastBeat
        try await write(step, .beat)
        if let previous { _ = try await objects.delete([previous]) }
        Gauge(label: "dayly_erasures_waiting").record(try await store.countPending())
        if housekeepingDue <= .now {
            housekeepingDue = .now + .seconds(3600)
            try await tidy()
        }
    }

    /// Waits until what was erased before is in the bucket, but no longer than `limit`, and not at all while the bucket
    /// does not answer: what waits is written as soon as it does.
    package func settle(within limit: Duration) async {
        guard seen > 0 else { return }
        if let failedAt, failedAt.duration(to: .now) < .seconds(30) { return }
        let id = nextWaiter
        nextWaiter += 1
        await withCheckedContinuation { waiter in
            waiters[id] = waiter
            kick()
            Task {
                try? await Task.sleep(for: limit)
                resume([id])
            }
        }
    }

    /// Writes all that waits.
    package func flush() async throws {
        while let step = try await store.pending(limit: Self.maxRecords, seen: seen) {
            try await write(step, .log)
            Counter(label: "dayly_erasures_recorded_total").increment(by: step.erasures.count)
            if step.erasures.count < Self.maxRecords { return }
        }
    }

    /// Starts a flush, or another one after the one under way: all who wait share it.
    private func kick() {
        isFlushWanted = true
        guard !isFlushing else { return }
        isFlushing = true
        Task { await flushWhileWanted() }
    }

    private func flushWhileWanted() async {
        while isFlushWanted {
            isFlushWanted = false
            let served = Array(waiters.keys)
            do {
                try await flush()
                failedAt = nil
            } catch {
                failedAt = .now
                logger.warning(
                    "what was erased is not in the bucket's journal yet",
                    metadata: ["error": "\(String(reflecting: error))"])
            }
            resume(served)
        }
        isFlushing = false
    }

    private func resume(_ ids: [Int]) {
        for id in ids { waiters.removeValue(forKey: id)?.resume() }
    }

    private func write(_ step: EpochStep, _ content: JournalSegment.Content) async throws {
        let segment = try JournalSegment(
            prefix: settings.prefix, epoch: step.epoch, writtenAt: step.now, database: step.database,
            content: content)
        let records = step.erasures.map { erasure in
            JournalRecord(
                kind: erasure.kind, subject: erasure.digest.map(key.seal), payload: erasure.payload)
        }
        try await objects.put(
            segment.key, JournalText.encode(records, key: key), contentType: "text/plain; charset=utf-8")
        try await store.confirm(step)
        seen = max(seen, step.epoch)
        if content == .beat { lastBeat = segment.key }
    }
}
