import CommandKit
import Logging
import ObjectStorage
import Postgres
import Restoration

/// Repairs a database that went back in time, before the service serves.
package struct Restoring: Sendable {
    let restoreGuard: RestoreGuard
    /// A start makes `auth.secret` the database's own. Not before the bucket fits: until then the operator may still be choosing
    /// secrets.
    let secretCheck: SecretCheck
    /// The walks of all features, in the order of the features.
    let restorations: [RestoreWalk]
    let logger: Logger
    /// Called after each batch of a restore.
    var progress: @Sendable (RestoreProgress) -> Void = { _ in }

    /// The time between two attempts while the bucket does not answer.
    private static let bucketPause: Duration = .seconds(1)

    /// Run before the service serves. Repeats the erasures that the database has lost.
    ///
    /// - Returns: false where the bucket does not answer: nothing may be served until `prepareOnceBucketAnswers` has returned.
    /// - Throws: `CommandFailure` if the service must not serve.
    func prepare() async throws -> Bool {
        do {
            try await judge()
            return true
        } catch ObjectStoreError.unavailable(let reason) {
            logger.warning("waiting for the bucket; until it answers, every call is answered 503: \(reason)")
            return false
        } catch {
            throw CommandFailure.restoring(error)
        }
    }

    /// Attempts the same until the bucket answers.
    ///
    /// - Returns: false on cancellation.
    /// - Throws: `CommandFailure` if the service must not serve.
    func prepareOnceBucketAnswers() async throws -> Bool {
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.bucketPause)
            do {
                try await judge()
                logger.notice("the bucket answers, and the database is in order")
                return true
            } catch ObjectStoreError.unavailable {
                continue
            } catch  where !Task.isCancelled {
                throw CommandFailure.restoring(error)
            } catch {}
        }
        return false
    }

    private func judge() async throws {
        switch try await restoreGuard.examine() {
        case .current, .fresh: try await restoreGuard.begin()
        case .wentBack(let gap): try await repair(gap)
        case .journalMissing: throw CommandFailure.journalMissing
        case .otherDatabase: throw CommandFailure.otherDatabase
        }
        try await secretCheck.adopt()
    }

    /// Repeats the erasures that the database has lost, for `dayly restore`.
    ///
    /// - Parameters:
    ///   - acceptsBucket: whether the bucket belongs to this database from now on, even without a journal or with that of
    ///     another database.
    ///   - isLenient: whether parts of the journal that cannot be read are skipped.
    /// - Returns: nil if there was nothing to do.
    func restore(acceptsBucket: Bool, leniently isLenient: Bool) async throws -> RestoreReport? {
        try await translating {
            let verdict = try await restoreGuard.examine()
            switch verdict {
            case .current: return nil
            case .fresh: break
            case .wentBack(let gap):
                if !acceptsBucket, try await restoreGuard.isInUseElsewhere(gap) { throw CommandFailure.inUse }
            case .journalMissing where !acceptsBucket: throw CommandFailure.journalMissing
            case .otherDatabase where !acceptsBucket: throw CommandFailure.otherDatabase
            case .journalMissing, .otherDatabase: break
            }
            guard verdict != .fresh else {
                try await restoreGuard.begin()
                return nil
            }
            let (report, plan) = try await erase(leniently: isLenient)
            try await restoreGuard.begin(after: plan)
            return report
        }
    }

    private func repair(_ gap: RestoreVerdict.Gap) async throws {
        logger.warning(
            "the database went back in time: repeating its erasures before the service serves",
            metadata: ["from": "\(gap.from)", "to": "\(gap.to)"])
        if try await restoreGuard.isInUseElsewhere(gap) { throw CommandFailure.inUse }
        // Another instance that started at the same time may have done the restore.
        guard case .wentBack = try await restoreGuard.examine() else { return try await restoreGuard.begin() }
        let log = RestoreProgressLog(logger)
        var restoring = self
        restoring.progress = { log.note($0) }
        let (report, plan) = try await restoring.erase(leniently: false)
        try await restoreGuard.begin(after: plan)
        logger.warning("the restore is complete: \(report.text)")
    }

    private func translating<Value>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch { throw CommandFailure.restoring(error) }
    }
}

extension CommandFailure {
    static let journalMissing = CommandFailure(
        reason:
            "This database was used with a bucket that has a journal under \(BucketLayout.journal), and this "
            + "bucket has none: it is another bucket, or it has lost its objects.",
        remedy:
            "Correct storage.*. If you moved the photos, copy all objects of the old folder or bucket here. If a disk was "
            + "lost, put the journal back that dayly-backup keeps beside each dump: docs/restore.md has the commands. If "
            + "neither can be had, run: dayly restore --accept-bucket (this ends every session, hides photos without objects, and "
            + "leaves accounts, groups, memberships and photos there that were deleted after the backup)")

    static let otherDatabase = CommandFailure(
        reason:
            "The bucket was last used by another database, or this backup was made before the first start.",
        remedy:
            "Correct database.url or storage.*. If the two are to belong together from now on, run: "
            + "dayly restore --accept-bucket (this repeats the erasures of the bucket's journal and ends every session)"
    )

    static let inUse = CommandFailure(
        reason: "The bucket is in use: a service is still running on a newer copy of this database.",
        remedy: "End that service first. A copy for tests needs a bucket of its own.")

    static func wentBack(_ gap: RestoreVerdict.Gap) -> CommandFailure {
        CommandFailure(
            reason:
                "The database went back in time: the bucket knows it as of \(gap.to), but it is as of \(gap.from).",
            remedy:
                "Start dayly serve, which repeats the erasures before it serves, or run: dayly restore"
        )
    }

    static func restoring(_ error: any Error) -> any Error {
        switch error {
        case let error as CommandFailure: error
        case ObjectStoreError.unavailable(let reason), ObjectStoreError.rejected(let reason, _),
            ObjectStoreError.corrupted(let reason):
            CommandFailure(
                reason:
                    "Without the bucket it is not known whether the database went back in time: \(reason)",
                remedy:
                    "Check that the bucket answers and that storage.* names it; `dayly doctor` tells more.")
        case JournalFailure.damaged(let key):
            CommandFailure(
                reason: "Erasures cannot be repeated: the object \(key) is damaged.",
                remedy: "Restore that object, or skip its records: dayly restore --lenient")
        case JournalFailure.otherSecret:
            CommandFailure(
                reason:
                    "Erasures cannot be repeated: they were recorded under another auth.secret.",
                remedy:
                    "Set that secret until the restore is done, or skip the records: dayly restore --lenient")
        case JournalFailure.changed:
            CommandFailure(
                reason: "The bucket's journal of erasures changes while it is read.",
                remedy: "End every other process that uses this bucket, then start again.")
        case let error as PostgresError: CommandFailure.database(error)
        default: error
        }
    }
}

extension RestoreGuard {
    /// For commands that run beside a service: refuses a database that only a start or `dayly restore` may repair. It accepts a
    /// bucket that does not answer; the command will find out itself.
    ///
    /// - Throws: `CommandFailure`.
    func requireCurrent() async throws {
        let verdict: RestoreVerdict
        do { verdict = try await examine() } catch is ObjectStoreError { return } catch {
            throw CommandFailure.restoring(error)
        }
        switch verdict {
        case .current, .fresh: return
        case .wentBack(let gap): throw CommandFailure.wentBack(gap)
        case .journalMissing: throw CommandFailure.journalMissing
        case .otherDatabase: throw CommandFailure.otherDatabase
        }
    }
}
