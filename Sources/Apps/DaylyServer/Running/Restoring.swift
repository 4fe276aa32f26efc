import Auth
import DailyPhotos
import Foundation
import Groups
import Jobs
import Logging
import ObjectStorage
import Postgres
import Restoration

/// Keeps a database that went back in time from being served as it is.
package struct Restoring: Sendable {
    let restoreGuard: RestoreGuard
    let auth: AuthService
    let groups: GroupService
    let database: PostgresClient
    let store: any ObjectStore
    let lifetime: Duration
    let logger: Logger
    /// Called after each batch of a restore.
    var progress: @Sendable (RestoreProgress) -> Void = { _ in }

    /// How long a start waits for a bucket that does not answer.
    static let patience: Duration = .seconds(30)

    /// Before anything is served: nothing is missing, or what must not come back is erased.
    ///
    /// - Throws: `ServeFailure` where that cannot be known.
    func prepare() async throws {
        switch try await examineWithPatience() {
        case .current, .fresh: try await translating { try await restoreGuard.begin() }
        case .wentBack(let gap): try await mend(gap)
        case .journalMissing: throw ServeFailure.journalMissing
        case .otherDatabase: throw ServeFailure.otherDatabase
        }
    }

    /// Repeats the recorded erasures that a restored backup undid, for `dayly restore`.
    ///
    /// - Parameter acceptsBucket: this bucket belongs to this database from now on, whatever it says.
    /// - Returns: nil where there was nothing to do.
    func restore(acceptsBucket: Bool, leniently isLenient: Bool) async throws -> RestoreReport? {
        try await translating {
            let verdict = try await restoreGuard.examine()
            switch verdict {
            case .current: return nil
            case .fresh: break
            case .wentBack(let gap):
                if !acceptsBucket, try await restoreGuard.isInUseElsewhere(gap) { throw ServeFailure.inUse }
            case .journalMissing where !acceptsBucket: throw ServeFailure.journalMissing
            case .otherDatabase where !acceptsBucket: throw ServeFailure.otherDatabase
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

    private func mend(_ gap: RestoreVerdict.Gap) async throws {
        logger.warning(
            "the database went back in time: erasing what must not come back before anything is served",
            metadata: ["from": "\(gap.from)", "to": "\(gap.to)"])
        try await translating {
            if try await restoreGuard.isInUseElsewhere(gap) { throw ServeFailure.inUse }
            // Another instance that started at the same time may have done it.
            guard case .wentBack = try await restoreGuard.examine() else {
                return try await restoreGuard.begin()
            }
            let log = RestoreProgressLog(logger)
            var restoring = self
            restoring.progress = { log.note($0) }
            let (report, plan) = try await restoring.erase(leniently: false)
            try await restoreGuard.begin(after: plan)
            logger.warning("the database is in order again: \(report.text)")
        }
    }

    private func examineWithPatience() async throws -> RestoreVerdict {
        let deadline = ContinuousClock.now + Self.patience
        var isTold = false
        while true {
            do {
                return try await restoreGuard.examine()
            } catch ObjectStoreError.unavailable(let reason) where ContinuousClock.now < deadline {
                if !isTold {
                    logger.warning("waiting for the bucket: \(reason)")
                    isTold = true
                }
                try await Task.sleep(for: .seconds(1))
            } catch {
                throw ServeFailure.restoring(error)
            }
        }
    }

    private func translating<Value>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch { throw ServeFailure.restoring(error) }
    }
}

extension ServeFailure {
    static let journalMissing = ServeFailure(
        reason:
            "This database was used with a bucket that has a journal under \(BucketLayout.journal), and this "
            + "bucket has none: it is another bucket, or it has lost its objects.",
        remedy: "Correct storage.*, or, where it is the right bucket and to be used as it is, run: "
            + "dayly restore --accept-bucket (every session ends, photos without objects go)")

    static let otherDatabase = ServeFailure(
        reason:
            "The bucket was last used by another database, or this one was saved before it was ever served.",
        remedy:
            "Correct database.url or storage.*, or, where the two are to belong together from now on, run: "
            + "dayly restore --accept-bucket (what the bucket's journal says is erased, every session ends)")

    static let inUse = ServeFailure(
        reason: "The bucket is in use by a newer copy of this database: somebody still serves it.",
        remedy: "End that service first. A copy for tests needs a bucket of its own.")

    static func wentBack(_ gap: RestoreVerdict.Gap) -> ServeFailure {
        ServeFailure(
            reason:
                "The database went back in time: the bucket knows it from \(gap.to), it says \(gap.from).",
            remedy:
                "Start dayly serve, which erases what must not come back before it serves, or run: dayly restore"
        )
    }

    static func restoring(_ error: any Error) -> any Error {
        switch error {
        case let error as ServeFailure: error
        case ObjectStoreError.unavailable(let reason), ObjectStoreError.rejected(let reason, _),
            ObjectStoreError.corrupted(let reason):
            ServeFailure(
                reason:
                    "Whether the database went back in time cannot be known without the bucket: \(reason)",
                remedy:
                    "See that the bucket answers and that storage.* names it; `dayly doctor` looks closer.")
        case JournalFailure.damaged(let key):
            ServeFailure(
                reason: "What was erased cannot be erased again: the object \(key) is damaged.",
                remedy: "Restore that object, or go on without what it says: dayly restore --lenient")
        case JournalFailure.otherSecret:
            ServeFailure(
                reason:
                    "What was erased cannot be erased again: it was written down under another auth.secret.",
                remedy:
                    "Give that one until the restore is done, or go on without it: dayly restore --lenient")
        case JournalFailure.changed:
            ServeFailure(
                reason: "The bucket's journal of erasures changes all the time while it is read.",
                remedy: "End every other process that uses this bucket, then start again.")
        case let error as PostgresError: ServeFailure.database(FailureText.of(error))
        default: error
        }
    }
}

extension RestoreGuard {
    /// For commands that work beside a service: refuses what only a start or `dayly restore` may bring in order. A
    /// bucket that does not answer is left to the command to meet.
    ///
    /// - Throws: `ServeFailure`.
    func requireCurrent() async throws {
        let verdict: RestoreVerdict
        do { verdict = try await examine() } catch is ObjectStoreError { return } catch {
            throw ServeFailure.restoring(error)
        }
        switch verdict {
        case .current, .fresh: return
        case .wentBack(let gap): throw ServeFailure.wentBack(gap)
        case .journalMissing: throw ServeFailure.journalMissing
        case .otherDatabase: throw ServeFailure.otherDatabase
        }
    }
}

extension RestoreGuard.Settings {
    init(_ configuration: ServerConfiguration.Restore) {
        self.init(
            prefix: BucketLayout.journal, beatInterval: configuration.beatInterval,
            journalLifetime: configuration.journalLifetime)
    }
}
