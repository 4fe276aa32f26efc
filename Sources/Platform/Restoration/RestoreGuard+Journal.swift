import Foundation
import NIOCore
import ObjectStorage

/// All that was written down within the journal's lifetime.
package struct ErasureJournal: Sendable {
    private let key: JournalKey
    private let subjects: [String: Set<[UInt8]>]
    /// In the order in which they were made.
    package let records: [JournalRecord]

    init(_ records: [JournalRecord], key: JournalKey) {
        self.key = key
        self.records = records
        subjects = Dictionary(grouping: records, by: \.kind).mapValues { Set($0.compactMap(\.subject)) }
    }

    /// Whether the row with that digest was erased.
    package func holds(_ kind: String, _ digest: [UInt8]) -> Bool {
        subjects[kind]?.contains(key.seal(digest)) == true
    }

    /// What came last of each payload that was given and taken back: whether it stands.
    ///
    /// - Parameter digest: only what is about that row.
    package func last(
        _ given: String, _ takenBack: String, about digest: [UInt8]? = nil
    ) -> [[UInt8]: Bool] {
        let subject = digest.map(key.seal)
        // Most rows have none: a look at a set spares the look at all records.
        if let subject, subjects[given]?.contains(subject) != true,
            subjects[takenBack]?.contains(subject) != true
        {
            return [:]
        }
        var standing: [[UInt8]: Bool] = [:]
        for record in records where record.subject == subject {
            guard let payload = record.payload else { continue }
            if record.kind == given { standing[payload] = true }
            if record.kind == takenBack { standing[payload] = false }
        }
        return standing
    }
}

/// The journal cannot be read as a whole, so nothing may be served.
package enum JournalFailure: Error, Equatable {
    case damaged(String)
    /// Written under another secret of the service.
    case otherSecret
}

extension RestoreGuard {
    /// - Parameter isLenient: leaves out what cannot be read; what it says is not erased again then.
    /// - Throws: `JournalFailure`, `ObjectStoreError`.
    package func journal(leniently isLenient: Bool = false) async throws -> ErasureJournal {
        for _ in 1...10 {
            if let records = try await allRecords(isLenient) { return ErasureJournal(records, key: key) }
        }
        throw ObjectStoreError.unavailable("the journal of erasures changes while it is read")
    }

    /// Nil where segments were merged meanwhile: the whole is not in the listing that names its parts.
    private func allRecords(_ isLenient: Bool) async throws -> [JournalRecord]? {
        var records: [JournalRecord] = []
        for segment in try await segments() where segment.content == .log {
            do {
                guard let found = try await read(segment) else { return nil }
                records += found
            } catch let failure as JournalFailure {
                guard isLenient else { throw failure }
                logger.warning(
                    "a part of the journal of erasures is left out", metadata: ["reason": "\(failure)"])
            }
        }
        return records
    }

    /// The one with the highest epoch.
    func lastSegment() async throws -> JournalSegment? {
        try await segments().last
    }

    /// In the order of their epochs, which is that of their names.
    func segments() async throws -> [JournalSegment] {
        var found: [JournalSegment] = []
        var continuation: String?
        repeat {
            let page = try await objects.list(prefix: settings.prefix, continuation: continuation)
            found += page.objects.compactMap { JournalSegment($0.key, prefix: settings.prefix) }
            continuation = page.continuation
        } while continuation != nil
        return found.sorted { $0.epoch < $1.epoch }
    }

    /// Nil where it is gone: merged into a later one by somebody else.
    private func read(_ segment: JournalSegment) async throws -> [JournalRecord]? {
        do {
            return try JournalText.decode(try await objects.get(segment.key), key: key)
        } catch ObjectStoreError.notFound {
            return nil
        } catch JournalText.Failure.otherKey {
            throw JournalFailure.otherSecret
        } catch JournalText.Failure.damaged {
            throw JournalFailure.damaged(segment.key.rawValue)
        }
    }

    // MARK: - Tidying up

    /// Removes what is older than any backup and beats that newer ones have replaced, and merges each day's segments.
    func tidy() async throws {
        let now = try await store.state().now
        let all = try await segments()
        guard let newest = all.last else { return }
        let end = now.addingTimeInterval(-(settings.journalLifetime / .seconds(1)))
        let old = all.filter {
            $0.epoch < newest.epoch && ($0.content == .beat || $0.writtenAt < end)
        }
        if !old.isEmpty { _ = try await objects.delete(old.map(\.key)) }
        // The last minutes are left alone: others may be about to read them.
        let settled = all.filter {
            $0.content == .log && $0.writtenAt >= end && $0.writtenAt < now.addingTimeInterval(-600)
        }
        let days = Dictionary(grouping: settled) { Int($0.writtenAt.timeIntervalSince1970) / 86_400 }
        for day in days.values where day.count > 1 {
            try await merge(Array(day.sorted { $0.epoch < $1.epoch }.prefix(1_000)))
        }
    }

    /// The whole is written before the parts go: whoever is cut off leaves records twice, never not at all. It stands
    /// under the newest part's time, so that nothing goes too early.
    func merge(_ parts: [JournalSegment]) async throws {
        guard let newest = parts.last else { return }
        var records: [JournalRecord] = []
        var known: Set<JournalRecord> = []
        for part in parts {
            // Somebody else is at it; or it was written under an earlier secret, and waits for its end as it is.
            let read: [JournalRecord]?
            do { read = try await self.read(part) } catch is JournalFailure { return }
            guard let found = read else { return }
            // Only what changes nothing by being said again is said once.
            for record in found where Self.isOrdered(record) || known.insert(record).inserted {
                records.append(record)
            }
        }
        let whole = try JournalSegment(
            prefix: settings.prefix, epoch: newest.epoch, writtenAt: newest.writtenAt,
            database: newest.database, content: .log)
        let text = JournalText.encode(records, key: key)
        guard text.readableBytes < 16 << 20 else { return }
        try await objects.put(whole.key, text, contentType: "text/plain; charset=utf-8")
        _ = try await objects.delete(parts.map(\.key))
    }

    /// What can be taken back: its order counts.
    private static func isOrdered(_ record: JournalRecord) -> Bool { record.payload != nil }
}
