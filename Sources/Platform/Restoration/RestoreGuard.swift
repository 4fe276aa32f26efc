import Foundation
import KeyDerivation
import Logging
import Metrics
import NIOCore
import ObjectStorage
import Postgres
import Resilience
import Settings

/// Detects a database that went back in time, and keeps a journal of erasures outside the database, so that a restored backup
/// does not bring erased data back.
///
/// The database has an epoch that only increases. Each step of it has a random token. The bucket has a journal, and the name
/// of each of its segments has the step under which it was written. A segment whose step the database does not know belongs
/// to a history that the database has lost. Triggers record each erasure in its own transaction. Within moments the guard
/// writes the records to the journal, as keyed hashes, where they outlive any backup.
package actor RestoreGuard {
    package struct Settings: SettingGroup {
        @Setting(
            "restore.beat_interval", .duration(.seconds(1) ... .seconds(600)), default: "30s",
            "How often the journal in the bucket gets a sign of life from the database.")
        package var beatInterval: Duration

        @Setting(
            "restore.journal_lifetime", .duration(.hours(1) ... .days(400)), default: "35d",
            "How long the bucket keeps the records of erasures: as long as the oldest backup that may be "
                + "restored."
        )
        package var journalLifetime: Duration

        @Setting(
            "restore.max_backup_age", .duration(.hours(1) ... .days(400)), default: "26h",
            "The age of the last backup from which on `dayly doctor` reports a problem.")
        package var maxBackupAge: Duration

        /// The prefix of the journal's keys in the bucket; it ends with a slash.
        package var prefix = "journal/"

        package init() {}

        package init(prefix: String, beatInterval: Duration, journalLifetime: Duration) {
            self.init()
            self.prefix = prefix
            self.beatInterval = beatInterval
            self.journalLifetime = journalLifetime
        }

        /// How often each process compares the bucket with the database.
        var lookInterval: Duration { min(beatInterval / 2, .seconds(15)) }
    }

    /// The largest number of records in one segment, unless it was merged.
    static let maxRecords = 1_000
    /// The time from the beginning of a flush to the next one, so that few objects hold many erasures.
    private static let flushPause: Duration = .milliseconds(200)
    private static let tidyPause: Duration = .seconds(900)

    let store: GuardStore
    let objects: any ObjectStore
    let settings: Settings
    let key: JournalKey
    let logger: Logger

    /// The newest step that this process has seen; nil before `begin`.
    private var seen: Seen?
    private var lastAlive: JournalSegment?
    private var lookedAt: ContinuousClock.Instant?
    private var isFlushing = false
    private var isFlushWanted = false
    private var failedAt: ContinuousClock.Instant?
    /// The newest erasure that was not in the journal at the last `tick`.
    private var newestPending = 0
    private var waiting: [Turn] = []

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

    /// Registers this database as the one that belongs to the bucket. Call it at a start, and after all erasures of a restore
    /// have been repeated.
    ///
    /// - Parameter plan: the restore that was done, if there was one.
    package func begin(after plan: RestorePlan? = nil) async throws {
        let all = try await segments()
        let step = try await store.begin(above: all.last?.epoch ?? 0, adopting: plan?.adopted ?? [])
        try await write(step)
        let found = try await store.compare(all, of: step.database)
        if let plan, plan.doubt != .foreignBucket {
            // The lost history removed these segments on purpose and marked their steps, and the rollback undid the marks.
            // It would have recorded a loss in the segments that the restore has read.
            try await store.markGone(found.missing)
        }
        let replaced = all.filter {
            $0.content == .alive && $0.epoch < step.epoch && !found.unknown.contains($0.name)
        }
        if !replaced.isEmpty { _ = try await objects.delete(replaced.map(\.key)) }
        failedAt = nil
        logger.debug("the bucket knows this database", metadata: ["epoch": "\(step.epoch)"])
    }

    /// The database's clock.
    package func now() async throws -> Date { try await store.state().now }

    // MARK: - While the service runs

    /// Checks that the database has the last step that this process saw, compares the database with the bucket, writes the
    /// erasures that are not in the journal yet, and shows in the bucket that the database is alive, if that is due.
    ///
    /// - Throws: `WentBack`, after which nothing may be served any more.
    package func tick() async throws {
        guard let last = seen else { return }
        let glance = try await store.glance(every: settings.beatInterval, seen: last)
        raise(to: Seen(database: glance.database, name: glance.newest))
        // Before the bucket is used, so that an outage of the bucket shows.
        try await recordWaiting()
        requestFlush()
        try await lookIfDue()
        guard glance.isAliveDue, let seen else { return }
        guard let step = try await store.stayAlive(every: settings.beatInterval, seen: seen) else { return }
        let previous = lastAlive
        try await write(step)
        if let previous { _ = try await objects.delete([previous.key]) }
        if let finished = try await store.lastBackup() {
            Gauge(label: "dayly_backup_timestamp_seconds").record(finished.timeIntervalSince1970)
        }
        if try await store.takeTidying(every: Self.tidyPause) { try await tidy() }
    }

    /// Counts the erasures that were waiting at the last `tick` too. One that is written within its request is none of them.
    private func recordWaiting() async throws {
        let pending = try await store.pending(upTo: newestPending)
        newestPending = pending.newest
        Gauge(label: "dayly_erasures_waiting").record(pending.count)
    }

    /// Waits until all erasures so far are in the bucket, but not longer than `limit`, and not at all within 30 s after the
    /// bucket failed. The erasures are written when the bucket answers again.
    package func waitUntilWritten(within limit: Duration) async {
        guard seen != nil else { return }
        if let failedAt, failedAt.duration(to: .now) < .seconds(30) { return }
        let turn = Turn()
        waiting.append(turn)
        requestFlush()
        _ = await turn.wait(until: .now + limit)
        waiting.removeAll { $0 === turn }
    }

    /// Writes all erasures that are not in the journal yet.
    package func flush() async throws {
        while let seen, let step = try await store.pending(limit: Self.maxRecords, seen: seen) {
            try await write(step)
            Counter(label: "dayly_erasures_recorded_total").increment(by: step.erasures.count)
            if step.erasures.count < Self.maxRecords { return }
        }
    }

    private func lookIfDue() async throws {
        if let lookedAt, lookedAt.duration(to: .now) < settings.lookInterval { return }
        try await look()
        lookedAt = .now
    }

    /// Starts a flush, or requests another one after the current one. All waiting requests share it.
    private func requestFlush() {
        isFlushWanted = true
        guard !isFlushing else { return }
        isFlushing = true
        Task { await flushWhileWanted() }
    }

    private func flushWhileWanted() async {
        while isFlushWanted {
            isFlushWanted = false
            let began = ContinuousClock.now
            let served = waiting
            do {
                try await flush()
                failedAt = nil
            } catch {
                failedAt = .now
                logger.warning(
                    "erasures could not be written to the journal yet",
                    metadata: ["error": "\(String(reflecting: error))"])
            }
            for turn in served { _ = turn.grant() }
            if isFlushWanted { try? await Task.sleep(until: began + Self.flushPause) }
        }
        isFlushing = false
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
        if step.content == .alive { lastAlive = segment }
    }

    /// A step that is confirmed late does not replace a newer one.
    private func raise(to newest: Seen) {
        if let seen, seen.name.epoch >= newest.name.epoch { return }
        seen = newest
    }
}
