import Foundation
import ObjectStorage

/// Keeping the journal small.
extension RestoreGuard {
    /// The largest size of a merged segment, in bytes.
    private static let maxMerged = 8 << 20
    /// No time zone has a day that is still under way so long after an upload.
    private static let daysMatterFor: TimeInterval = 3 * 86_400

    /// Which segments may be merged with each other.
    private struct Shelf: Hashable {
        let day: Int
        let content: JournalSegment.Content
        let lineage: Int
    }

    /// Removes what is older than any backup and beats that newer ones have replaced, and merges each day's segments.
    func tidy() async throws {
        let (state, now) = try await store.state()
        let all = try await segments()
        guard let state, let newest = all.last else { return }
        guard try await store.compare(all, of: state.database).unknown.isEmpty else { throw WentBack() }
        let old = all.filter { $0.epoch < newest.epoch && isOld($0, now: now) }
        try await remove(old)
        let gone = Set(old.map(\.key))
        // Leave the last minutes alone: other processes may be about to read them.
        let lineages = try await store.lineages()
        let settled = all.filter {
            $0.content != .beat && !gone.contains($0.key) && $0.writtenAt < now.addingTimeInterval(-600)
                && ($0.database == state.database || lineages[$0.name] != nil)
        }
        let shelves = Dictionary(grouping: settled) {
            Shelf(
                day: Int($0.writtenAt.timeIntervalSince1970) / 86_400, content: $0.content,
                lineage: lineages[$0.name] ?? 0)
        }
        for shelf in shelves.values {
            for parts in Self.batches(shelf.sorted { $0.epoch < $1.epoch }) { try await merge(parts) }
        }
        try await store.forgetGone(present: all)
    }

    private func isOld(_ segment: JournalSegment, now: Date) -> Bool {
        let age = now.timeIntervalSince(segment.writtenAt)
        switch segment.content {
        case .beat: return true
        case .days: return age > Self.daysMatterFor
        case .log: return age > settings.journalLifetime / .seconds(1)
        }
    }

    /// The steps are marked before the objects go, so that their loss is not taken for damage.
    private func remove(_ segments: [JournalSegment]) async throws {
        guard !segments.isEmpty else { return }
        try await store.markGone(segments.map(\.name))
        _ = try await objects.delete(segments.map(\.key))
    }

    /// Runs of neighbours that fit into one object together. A segment that is large already is left as it is, and
    /// read no more.
    static func batches(_ segments: [JournalSegment]) -> [[JournalSegment]] {
        var found: [[JournalSegment]] = []
        var run: [JournalSegment] = []
        var size = 0
        for segment in segments {
            if size + segment.size > maxMerged {
                found.append(run)
                (run, size) = ([], 0)
            }
            guard segment.size < maxMerged / 2 else {
                found.append(run)
                (run, size) = ([], 0)
                continue
            }
            run.append(segment)
            size += segment.size
        }
        return (found + [run]).filter { $0.count > 1 }
    }

    /// Writes the whole before the parts go: a process that is killed in between leaves records twice, and loses none.
    /// The whole stands under the newest part's step and time, so that it is not removed too early.
    func merge(_ parts: [JournalSegment]) async throws {
        guard let newest = parts.last else { return }
        var records: [JournalRecord] = []
        var known: Set<JournalRecord> = []
        for part in parts {
            // Another process merges it; or it was written under an earlier secret, and waits for its end as it is.
            let read: [JournalRecord]?
            do { read = try await self.read(part, isMerging: true) } catch is JournalFailure { return }
            guard let found = read else { return }
            // Only what changes nothing by being said again is said once.
            for record in found where Self.isOrdered(record) || known.insert(record).inserted {
                records.append(record)
            }
        }
        let whole = try JournalSegment(
            prefix: settings.prefix, name: newest.name, writtenAt: newest.writtenAt,
            database: newest.database, content: newest.content)
        try await objects.put(
            whole.key, JournalText.encode(records, key: key), contentType: "text/plain; charset=utf-8")
        try await store.markGone(parts.map(\.name).filter { $0 != newest.name })
        _ = try await objects.delete(parts.map(\.key))
    }

    /// The kinds that can be taken back, so that their order counts.
    private static func isOrdered(_ record: JournalRecord) -> Bool { record.payload != nil }
}
