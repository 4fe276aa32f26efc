import Foundation
import KeyDerivation
import Logging
import Metrics
import NIOCore
import ObjectStorage
import Postgres

/// Notices a database that went back in time, and keeps outside of it what must not come back with an old one.
///
/// The database has an epoch that only grows. Each step of it has a random token, and the bucket has a journal whose
/// segments carry the steps under which they were written. A segment whose step the database does not know belongs to a
/// history that the database has lost. Triggers record each erasure in the erasing transaction. The guard writes the
/// records to the journal within moments, under keyed hashes, and there they outlive any backup.
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

        /// How often each process compares the bucket with the database.
        var lookInterval: Duration { min(beatInterval / 2, .seconds(15)) }
    }

    /// Records in one segment.
    static let maxRecords = 1_000
    /// Between the beginnings of two flushes, so that many erasures share few objects.
    private static let flushPause: Duration = .milliseconds(200)
    /// Between two segments of used days, over all processes.
    private static let daysPause: Duration = .seconds(4)
    private static let tidyPause: Duration = .seconds(900)

    let store: GuardStore
    let objects: any ObjectStore
    let settings: Settings
    let key: JournalKey
    let logger: Logger

    /// The newest step that this process has seen. Nil until it has begun.
    private var seen: Seen?
    private var lastBeat: JournalSegment?
    private var lookedAt: ContinuousClock.Instant?
    private var isFlushing = false
    private var isFlushWanted = false
    private var failedAt: ContinuousClock.Instant?
    private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    private var nextWaiter = 0

    /// - Parameter secret: the service's secrets.
    package init(
        postgres: PostgresClient, objects: any ObjectStore, secret: some SecretSource, settings: Settings,
        logger: Logger
    ) {
        store = GuardStore(postgres: postgres)
        self.objects = objects
        self.settings = settings
        key = JournalKey(secret: secret)
        self.logger = logger
    }

    /// From now on this database is the one that the bucket knows. Call it once a restore is done.
    ///
    /// - Parameter plan: the restore that was done, if there was one.
    package func begin(after plan: RestorePlan? = nil) async throws {
        let all = try await segments()
        let step = try await store.begin(above: all.last?.epoch ?? 0, adopting: plan?.adopted ?? [])
        try await write(step)
        let unknown = try await store.compare(all, of: step.database).unknown
        let replaced = all.filter {
            $0.content == .beat && $0.epoch < step.epoch && !unknown.contains($0.name)
        }
        if !replaced.isEmpty { _ = try await objects.delete(replaced.map(\.key)) }
        failedAt = nil
        logger.debug("the bucket knows this database", metadata: ["epoch": "\(step.epoch)"])
    }

    /// The database's clock.
    package func now() async throws -> Date { try await store.state().now }

    // MARK: - While the service runs

    /// Compares what this process has seen with the database, and the database with the bucket; tells the bucket that
    /// the database is alive, where that is due; and writes down what waits.
    ///
    /// - Throws: `WentBack`, after which nothing may be served any more.
    package func tick() async throws {
        guard let last = seen else { return }
        let glance = try await store.glance(every: settings.beatInterval, seen: last)
        if let newest = glance.newest { raise(to: Seen(database: glance.database, name: newest)) }
        kick()
        try await flushDays()
        try await lookIfDue()
        guard glance.isBeatDue, let seen else { return }
        guard let step = try await store.beat(every: settings.beatInterval, seen: seen) else { return }
        let previous = lastBeat
        try await write(step)
        if let previous { _ = try await objects.delete([previous.key]) }
        Gauge(label: "dayly_erasures_waiting").record(try await store.countPending())
        if try await store.takeTidying(every: Self.tidyPause) { try await tidy() }
    }

    /// Waits until what was erased before is in the bucket, but no longer than `limit`, and not at all while the bucket
    /// does not answer: what waits is written as soon as it does.
    package func settle(within limit: Duration) async {
        guard seen != nil else { return }
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

    /// Writes all erasures that wait.
    package func flush() async throws {
        try await flush(.log)
    }

    /// Writes the days that photos used. No client waits for these, so one process writes them every few seconds.
    func flushDays() async throws {
        guard try await store.areDaysDue(every: Self.daysPause) else { return }
        try await flush(.days)
    }

    private func flush(_ content: JournalSegment.Content) async throws {
        while let seen, let step = try await store.pending(content, limit: Self.maxRecords, seen: seen) {
            try await write(step)
            if content == .log {
                Counter(label: "dayly_erasures_recorded_total").increment(by: step.erasures.count)
            }
            if step.erasures.count < Self.maxRecords { return }
        }
    }

    private func lookIfDue() async throws {
        if let lookedAt, lookedAt.duration(to: .now) < settings.lookInterval { return }
        try await look()
        lookedAt = .now
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
            let began = ContinuousClock.now
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
            if isFlushWanted { try? await Task.sleep(until: began + Self.flushPause) }
        }
        isFlushing = false
    }

    private func resume(_ ids: [Int]) {
        for id in ids { waiters.removeValue(forKey: id)?.resume() }
    }

    private func write(_ step: EpochStep) async throws {
        let segment = try JournalSegment(
            prefix: settings.prefix, name: step.name, writtenAt: step.now, database: step.database,
            content: step.content)
        let records = step.erasures.map { erasure in
            JournalRecord(
                kind: erasure.kind, subject: erasure.digest.map(key.seal), payload: erasure.payload)
        }
        try await objects.put(
            segment.key, JournalText.encode(records, key: key), contentType: "text/plain; charset=utf-8")
        try await store.confirm(step)
        raise(to: Seen(database: step.database, name: step.name))
        if step.content == .beat { lastBeat = segment }
    }

    /// Steps that are confirmed late do not lower what was seen.
    private func raise(to newest: Seen) {
        if let seen, seen.name.epoch >= newest.name.epoch { return }
        seen = newest
    }
}
