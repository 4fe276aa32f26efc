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
                state: state)
        }
        let lost = all.filter { $0.database == state.database && comparison.unknown.contains($0.name) }
        // The promises made since in this history come last.
        let since = all.filter {
            $0.database == state.database && !comparison.unknown.contains($0.name) && $0.epoch > gap.epoch
        }
        let slack = settings.beatInterval / .seconds(1) + 5
        return RestorePlan(
            segments: Self.inOrder(lost) + Self.inOrder(since), adopted: lost,
            doubt: doubt(gap, state, now: now), until: min(now, gap.to.addingTimeInterval(slack)), now: now,
            state: state)
    }

    private func doubt(_ gap: RestoreVerdict.Gap, _ state: GuardState, now: Date) -> RestorePlan.Doubt? {
        if gap.epoch < state.tracedFrom { return .untraced }
        let lifetime = settings.journalLifetime / .seconds(1)
        return now.timeIntervalSince(gap.from) > lifetime ? .tooOld : nil
    }

    private static func inOrder(_ segments: [JournalSegment]) -> [JournalSegment] {
        segments.filter { $0.content != .beat }
    }

    /// - Parameter isLenient: leaves out what cannot be read; what it says is not erased again then.
    package nonisolated func reader(
        _ plan: RestorePlan, leniently isLenient: Bool = false,
        recordsInPart: Int = JournalReader.recordsInPart
    ) -> JournalReader {
        JournalReader(self, plan.segments, leniently: isLenient, recordsInPart: recordsInPart)
    }

    /// Nil where it is gone: merged into a later one by somebody else.
    ///
    /// - Parameter isMerging: only what stands under the key that writes now: the whole has one key's name.
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

    // MARK: - How far a restore has come

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

extension GuardStore {
    fileprivate func progress(_ run: String, _ part: String) async throws -> (last: UUID, changed: Int)? {
        let row = try await postgres.first(
            "SELECT last, changed FROM restore_progress WHERE run = \(run) AND part = \(part)")
        return try row.map { (try $0.get("last"), try $0.get("changed")) }
    }

    fileprivate func note(_ run: String, _ part: String, last: UUID, changed: Int) async throws {
        try await postgres.execute(
            """
            INSERT INTO restore_progress (run, part, last, changed) VALUES (\(run), \(part), \(last), \(changed))
            ON CONFLICT (run, part) DO UPDATE SET last = excluded.last, changed = excluded.changed
            """)
    }

    fileprivate func finish(endedAllBy time: Date?) async throws {
        let payload = time.map { Array(String(Int($0.timeIntervalSince1970.rounded(.up))).utf8) }
        try await postgres.transaction { tx in
            if let payload {
                try tx.execute("INSERT INTO erasures (kind, payload) VALUES ('all', \(payload))")
            }
            try tx.execute("DELETE FROM restore_progress")
        }
    }
}
