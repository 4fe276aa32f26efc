import Foundation
import NIOCore
import ObjectStorage

extension RestoreGuard {
    /// Lists the segments that a restore has to read. Changes nothing.
    ///
    /// - Throws: `ObjectStoreError`, `PostgresError`.
    package func plan() async throws -> RestorePlan {
        let all = try await segments()
        let (state, now) = try await store.state()
        let comparison = try await store.compare(all, of: state?.database ?? UUID())
        guard let state, case .wentBack(let gap) = RestoreVerdict.judge(state, all, comparison) else {
            return RestorePlan(
                segments: Self.inOrder(all), adopted: all, doubt: .foreignBucket, until: now, now: now,
                forkEpoch: 0, state: state)
        }
        let lost = all.filter { $0.database == state.database && comparison.unknown.contains($0.name) }
        // Segments of this database's own history since the backup come last, because blocks and STOPs in them are newer.
        let since = all.filter {
            $0.database == state.database && !comparison.unknown.contains($0.name) && $0.epoch > gap.epoch
        }
        let slack = settings.beatInterval / .seconds(1) + 5
        return RestorePlan(
            segments: Self.inOrder(lost) + Self.inOrder(since), adopted: lost,
            doubt: doubt(gap, now: now), until: min(now, gap.to.addingTimeInterval(slack)), now: now,
            forkEpoch: gap.epoch, state: state)
    }

    private func doubt(_ gap: RestoreVerdict.Gap, now: Date) -> RestorePlan.Doubt? {
        let lifetime = settings.journalLifetime / .seconds(1)
        return now.timeIntervalSince(gap.from) > lifetime ? .tooOld : nil
    }

    private static func inOrder(_ segments: [JournalSegment]) -> [JournalSegment] {
        segments.filter { $0.content != .alive }
    }

    /// A part of the journal without records.
    nonisolated var emptyJournal: ErasureJournal { ErasureJournal(key: key) }

    /// - Parameter isLenient: whether segments that cannot be read are skipped. The erasures in them are not repeated then.
    package nonisolated func reader(
        _ plan: RestorePlan, leniently isLenient: Bool = false,
        recordsInPart: Int = JournalReader.recordsInPart
    ) -> JournalReader {
        JournalReader(self, plan.segments, leniently: isLenient, recordsInPart: recordsInPart)
    }

    /// Reads a segment; nil if it is gone because another process has merged it into a later one.
    ///
    /// - Parameter isMerging: refuses segments under a previous key, because a merged segment has one key only.
    nonisolated func read(_ segment: JournalSegment, isMerging: Bool = false) async throws -> [JournalRecord]?
    {
        do {
            let text = try await objects.get(segment.key)
            if isMerging, !JournalText.isCurrent(text, key: key) { throw JournalFailure.otherSecret }
            return try JournalText.decode(text, key: key)
        } catch ObjectStoreError.notFound {
            return nil
        } catch JournalText.Failure.otherKey {
            throw JournalFailure.otherSecret
        } catch JournalText.Failure.damaged {
            throw JournalFailure.damaged(segment.key.rawValue)
        }
    }

    // MARK: - The progress of a restore

    package nonisolated func progress(_ run: String, _ part: String) async throws -> (
        last: UUID, changed: Int
    )? {
        try await store.progress(run, part)
    }

    package nonisolated func note(_ run: String, _ part: String, last: UUID, changed: Int) async throws {
        try await store.note(run, part, last: last, changed: changed)
    }

    /// Records that all sessions and open invitations that began by `time` have ended, and forgets the progress.
    package nonisolated func finish(endedAllBy time: Date?) async throws {
        try await store.finish(endedAllBy: time)
    }
}
