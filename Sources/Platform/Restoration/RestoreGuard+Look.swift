import Foundation
import Metrics
import ObjectStorage

/// Compares the bucket with the database, at a start and while the service runs.
extension RestoreGuard {
    /// In seconds: how long after a loss of a part of the journal audits hide no photos. No photo is visible longer.
    private static let holeLasts: TimeInterval = 3 * 86_400

    /// The relation between database and bucket now. It changes nothing.
    ///
    /// - Throws: `ObjectStoreError`, `PostgresError`.
    package func examine() async throws -> RestoreVerdict {
        // List the bucket first, so that a step that is taken in between does not seem to be missing.
        let all = try await segments()
        guard let state = try await store.state().state else {
            return RestoreVerdict.judge(nil, all, StepComparison())
        }
        let comparison = try await store.compare(all, of: state.database)
        return RestoreVerdict.judge(state, all, comparison)
    }

    /// Whether another process still writes to the journal from a newer copy of the database.
    package func isInUseElsewhere(_ gap: RestoreVerdict.Gap) async throws -> Bool {
        let before = try await lostSegments()
        let pause = settings.beatInterval * 1.5
        guard try await now().timeIntervalSince(gap.to) < pause / .seconds(1) + 5 else { return false }
        try await Task.sleep(for: pause + .seconds(1))
        // Another instance may have completed the restore of this database meanwhile. Then no segment is lost any more.
        return try await !lostSegments().subtracting(before).isEmpty
    }

    /// Whether this database was the last to use the bucket.
    package func ownsBucket() async throws -> Bool {
        guard let state = try await store.state().state, state.markedEpoch > 0 else { return true }
        return try await lastSegment()?.database == state.database
    }

    /// Whether this database was the last to use the bucket, and no part of the bucket's journal was found missing in the
    /// last days.
    package func trustsBucket() async throws -> Bool {
        let (state, now) = try await store.state()
        if let holeAt = state?.holeAt, now.timeIntervalSince(holeAt) < Self.holeLasts { return false }
        return try await ownsBucket()
    }

    /// The checks that a running process makes every few seconds.
    ///
    /// - Throws: `WentBack` if the bucket has a step that the database does not know.
    func look() async throws {
        guard try await findHole() != nil else { return }
        // A listing may miss an object that is being replaced, so a second listing must agree.
        guard let hole = try await findHole() else { return }
        logger.error(
            """
            the bucket has lost a part of the journal of erasures: a backup that was made before now cannot be restored \
            without ending all sessions and open invitations, so make a new one
            """,
            metadata: ["segments": "\(hole.count)"])
        Counter(label: "dayly_journal_losses_total").increment()
        try await store.noteHole(hole)
        try await flush()
    }

    /// The logs that are missing from the bucket: empty if the whole journal is missing, nil if nothing is missing.
    private func findHole() async throws -> [StepName]? {
        let all = try await segments()
        guard let state = try await store.state().state else { throw WentBack() }
        let ours = all.filter { $0.database == state.database }
        let found = try await store.compare(all, of: state.database)
        guard found.unknown.isEmpty else { throw WentBack() }
        if !found.missing.isEmpty { return found.missing }
        return ours.isEmpty && state.markedEpoch > 0 ? [] : nil
    }

    private func lostSegments() async throws -> Set<ObjectKey> {
        let all = try await segments()
        guard let state = try await store.state().state else { return [] }
        let ours = all.filter { $0.database == state.database }
        let unknown = try await store.compare(all, of: state.database).unknown
        return Set(ours.filter { unknown.contains($0.name) }.map(\.key))
    }

    /// The one with the highest epoch.
    func lastSegment() async throws -> JournalSegment? {
        try await segments().last
    }

    /// The segments that can be read, in the order of their epochs.
    func segments() async throws -> [JournalSegment] {
        try await listed().filter { !$0.isHidden }
    }

    /// All segments, in the order of their epochs, including those of which the bucket has only hidden versions.
    func listed() async throws -> [JournalSegment] {
        var found: [JournalSegment] = []
        var continuation: String?
        repeat {
            let page = try await objects.list(prefix: settings.prefix, continuation: continuation)
            for object in page.objects {
                guard var segment = JournalSegment(object.key, prefix: settings.prefix) else { continue }
                segment.size = object.size
                segment.isHidden = object.isHidden
                found.append(segment)
            }
            continuation = page.continuation
        } while continuation != nil
        return found.sorted { ($0.epoch, $0.writtenAt) < ($1.epoch, $1.writtenAt) }
    }
}
