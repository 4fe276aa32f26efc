import Foundation
import Metrics
import ObjectStorage

/// Comparing the bucket with the database, at a start and while the service runs.
extension RestoreGuard {
    /// How long the loss of a part of the journal keeps audits from hiding photos: longer than any photo lives.
    private static let holeLasts: TimeInterval = 3 * 86_400

    /// How database and bucket stand to each other now. Changes nothing.
    ///
    /// - Throws: `ObjectStoreError`, `PostgresError`.
    package func examine() async throws -> RestoreVerdict {
        // List the bucket first: a step that is taken in between must not look like one that is missing.
        let all = try await segments()
        guard let state = try await store.state().state else {
            return RestoreVerdict.judge(nil, all, StepComparison())
        }
        let comparison = try await store.compare(all, of: state.database)
        return RestoreVerdict.judge(state, all, comparison)
    }

    /// Whether another process still writes to the journal, with a copy of the database that this one does not know.
    package func isInUseElsewhere(_ gap: RestoreVerdict.Gap) async throws -> Bool {
        let before = try await lostSegments()
        let pause = settings.beatInterval * 1.5
        guard try await now().timeIntervalSince(gap.to) < pause / .seconds(1) + 5 else { return false }
        try await Task.sleep(for: pause + .seconds(1))
        // Another instance may have finished the restore of this very database meanwhile: nothing is lost then.
        return try await !lostSegments().subtracting(before).isEmpty
    }

    /// Whether the bucket is the one that this database is used with, and its journal is whole as far as is known.
    package func knowsBucket() async throws -> Bool {
        let (state, now) = try await store.state()
        guard let state, state.markedEpoch > 0 else { return true }
        if let holeAt = state.holeAt, now.timeIntervalSince(holeAt) < Self.holeLasts { return false }
        return try await lastSegment()?.database == state.database
    }

    /// The checks that a running process makes every few seconds.
    ///
    /// - Throws: `WentBack` where the bucket has a step that the database does not know.
    func look() async throws {
        guard try await findHole() != nil else { return }
        // A listing may have missed an object that was replaced meanwhile: only two that agree count.
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

    /// Logs that are missing from the bucket. Empty where all is missing that there was, nil where nothing is.
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

    /// In the order of their epochs.
    func segments() async throws -> [JournalSegment] {
        var found: [JournalSegment] = []
        var continuation: String?
        repeat {
            let page = try await objects.list(prefix: settings.prefix, continuation: continuation)
            for object in page.objects {
                guard var segment = JournalSegment(object.key, prefix: settings.prefix) else { continue }
                segment.size = object.size
                found.append(segment)
            }
            continuation = page.continuation
        } while continuation != nil
        return found.sorted { ($0.epoch, $0.writtenAt) < ($1.epoch, $1.writtenAt) }
    }
}
