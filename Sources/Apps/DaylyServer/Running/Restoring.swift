import Auth
import DailyPhotos
import Foundation
import Groups
import Jobs
import Logging
import ObjectStorage
import Postgres
import Restoration

/// What was done to a database that went back in time.
package struct RestoreReport: Sendable, Codable, Equatable {
    package var accounts = 0
    package var groups = 0
    package var memberships = 0
    package var blocks = 0
    package var stops = 0
    package var sessions = 0
    package var invitations = 0
    /// Push messages that may have been sent already.
    package var messages = 0
    /// Deleted before, by their senders or by an audit.
    package var photos = 0
    /// Whose objects were gone.
    package var photosWithoutObjects = 0
    package var objects = 0
    package var days = 0

    package init() {}

    package var text: String {
        "\(accounts) accounts, \(groups) groups, \(memberships) memberships and "
            + "\(photos + photosWithoutObjects) photos erased again, \(objects) objects deleted, "
            + "\(sessions) sessions ended, \(invitations) invitations revoked, \(blocks) blocks and \(stops) STOPs "
            + "set right, \(days) days taken for used, \(messages) messages given up"
    }
}

/// Keeps a database that went back in time from being served as it is.
package struct Restoring: Sendable {
    let restoreGuard: RestoreGuard
    let auth: AuthService
    let groups: GroupService
    let database: PostgresClient
    let store: any ObjectStore
    let lifetime: Duration
    let logger: Logger

    /// How long a start waits for a bucket that does not answer.
    static let patience: Duration = .seconds(30)

    /// Before anything is served: nothing is missing, or what must not come back is erased.
    ///
    /// - Throws: `ServeFailure` where that cannot be known.
    func prepare() async throws {
        switch try await examineWithPatience() {
        case .current, .fresh: break
        case .wentBack(let gap): try await mend(gap)
        case .journalMissing: throw ServeFailure.journalMissing
        case .otherDatabase: throw ServeFailure.otherDatabase
        }
        try await translating { try await restoreGuard.begin() }
    }

    /// What `dayly restore` does.
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
            var report: RestoreReport?
            if verdict != .fresh {
                var until = try await restoreGuard.now()
                if case .wentBack(let gap) = verdict { until = gap.to }
                report = try await erase(until: until, leniently: isLenient)
            }
            try await restoreGuard.begin()
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
            guard case .wentBack = try await restoreGuard.examine() else { return }
            let report = try await erase(until: gap.to, leniently: false)
            logger.warning("the database is in order again: \(report.text)")
        }
    }

    /// Every step may be repeated, and may run beside another instance's.
    private func erase(until time: Date, leniently isLenient: Bool) async throws -> RestoreReport {
        let journal = try await restoreGuard.journal(leniently: isLenient)
        let now = try await restoreGuard.now()
        var report = RestoreReport()
        report.sessions = try await auth.endUncertain(before: now)
        report.invitations = try await groups.revokeUncertain(before: now)
        report.messages = try await Outbox(postgres: database).giveUpUncertain(before: now)
        report.accounts = try await auth.eraseAgain { journal.holds("user", $0) }
        report.groups = try await groups.eraseAgain { journal.holds("group", $0) }
        report.memberships = try await groups.endMembershipsAgain { journal.holds("member", $0) }
        report.blocks = try await groups.restoreBlocks { journal.last("block", "unblock", about: $0) }
        report.stops = try await groups.restoreStops(journal.last("stop", "allow"))
        let photos = PhotoRestoration(postgres: database)
        report.photos = try await photos.eraseAgain { journal.holds("photo", $0) }
        report.days = try await photos.useUncertainDays(until: time)
        report.photosWithoutObjects = try await hidePhotosWithoutObjects()
        report.objects =
            try await PhotoSweeper(postgres: database, objects: store, logger: logger).runOnce()
            .deletedObjects
        return report
    }

    private func hidePhotosWithoutObjects() async throws -> Int {
        var settings = AuditSettings(lifetime: lifetime)
        settings.mends = true
        settings.hideCeiling = nil
        let audit = PhotoAudit(postgres: database, objects: store, name: "restore", logger: logger)
        while true {
            do {
                return try await audit.run(settings).hiddenPhotos
            } catch AuditFailure.underWay {
                // Another instance that started at the same time.
                try await Task.sleep(for: .seconds(1))
            }
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
        case ObjectStoreError.unavailable(let reason), ObjectStoreError.rejected(let reason),
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
        case let error as PostgresError: ServeFailure.database(String(describing: error))
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
