import Foundation
import ObjectStorage

/// Removes and merges segments, so that the journal stays small.
extension RestoreGuard {
    /// The largest size of a merged segment, in bytes.
    private static let maxMerged = 8 << 20

    /// Segments with the same shelf may be merged.
    private struct Shelf: Hashable {
        let day: Int
        let content: JournalSegment.Content
        let lineage: Int
    }

    /// Removes segments that are older than any backup, and segments without records except the newest; merges each day's
    /// segments.
    func tidy() async throws {
        let (state, now) = try await store.state()
        let listed = try await listed()
        let all = listed.filter { !$0.isHidden }
        guard let state, let newest = all.last else { return }
        guard try await store.compare(all, of: state.database).unknown.isEmpty else { throw WentBack() }
        let old = listed.filter { $0.epoch < newest.epoch && isOld($0, now: now) }
        try await remove(old)
        let gone = Set(old.map(\.key))
        // Other processes may be reading the segments of the last minutes, so these are not merged.
        let lineages = try await store.lineages()
        let mergeable = all.filter {
            $0.content != .alive && !gone.contains($0.key) && $0.writtenAt < now.addingTimeInterval(-600)
                && ($0.database == state.database || lineages[$0.name] != nil)
        }
        let shelves = Dictionary(grouping: mergeable) {
            Shelf(
                day: Int($0.writtenAt.timeIntervalSince1970) / 86_400, content: $0.content,
                lineage: lineages[$0.name] ?? 0)
        }
        for shelf in shelves.values {
            for parts in Self.batches(shelf.sorted { $0.epoch < $1.epoch }) { try await merge(parts) }
        }
        try await store.deleteGone(present: all)
    }

    private func isOld(_ segment: JournalSegment, now: Date) -> Bool {
        let age = now.timeIntervalSince(segment.writtenAt)
        switch segment.content {
        case .alive: return true
        case .log: return age > settings.journalLifetime / .seconds(1)
        }
    }

    /// Marks the steps before it deletes the objects, so that the missing objects do not count as damage.
    private func remove(_ segments: [JournalSegment]) async throws {
        guard !segments.isEmpty else { return }
        try await store.markGone(segments.map(\.name))
        _ = try await objects.delete(segments.map(\.key))
    }

    /// Runs of consecutive segments that fit into one object. A segment that is large already is not read or merged again.
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

    /// Writes the merged segment before it deletes the parts. If the process is killed in between, records exist twice and none
    /// is lost. The merged segment has the step and time of the newest part, so that it is not removed too early.
    func merge(_ parts: [JournalSegment]) async throws {
        guard let newest = parts.last else { return }
        var records: [JournalRecord] = []
        var known: Set<JournalRecord> = []
        for part in parts {
            // Another process is merging the part, or the part was written under a previous secret and stays unchanged.
            let read: [JournalRecord]?
            do { read = try await self.read(part, isMerging: true) } catch is JournalFailure { return }
            guard let found = read else { return }
            // Duplicates of records whose order does not matter are dropped.
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

    /// Whether a later record can undo this one, so that their order matters.
    private static func isOrdered(_ record: JournalRecord) -> Bool { record.payload != nil }
}
