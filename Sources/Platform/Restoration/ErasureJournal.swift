import Foundation

/// A part of what was written down in the journal, indexed by its subjects. A part is bounded, so that a restore needs
/// the same memory whatever the journal's length.
package struct ErasureJournal: Sendable {
    /// The first bytes of a sealed digest, which are as good as the whole and take less memory.
    private struct Subject: Hashable {
        let high: UInt64
        let low: UInt64

        init?(_ bytes: [UInt8]?) {
            guard let bytes, bytes.count == 16 else { return nil }
            high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
            low = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    private struct Entry {
        let kind: String
        let payload: [UInt8]
        /// Its place among all records: those about one row may stand under several keys.
        let place: Int
    }

    /// Kinds of which only the greatest payload about a subject counts. There are many of these records, and a text
    /// of up to 15 bytes takes no memory besides the dictionary's.
    private static let greatestKinds: Set<String> = ["sent"]

    /// The number of records.
    package private(set) var count = 0
    private let key: JournalKey
    private var subjects: [String: Set<Subject>] = [:]
    /// Records with a payload, in the order in which they were made; under nil those without a subject.
    private var payloads: [Subject?: [Entry]] = [:]
    private var greatestTexts: [String: [Subject: String]] = [:]
    private var kinds: Set<String> = []

    init(_ records: [JournalRecord] = [], key: JournalKey) {
        self.key = key
        add(records)
    }

    mutating func add(_ records: [JournalRecord]) {
        for record in records {
            count += 1
            kinds.insert(record.kind)
            let subject = Subject(record.subject)
            if let payload = record.payload, let subject, Self.greatestKinds.contains(record.kind) {
                let text = String(decoding: payload, as: UTF8.self)
                let known = greatestTexts[record.kind]?[subject] ?? ""
                greatestTexts[record.kind, default: [:]][subject] = max(text, known)
            } else if let payload = record.payload {
                payloads[subject, default: []].append(
                    Entry(kind: record.kind, payload: payload, place: count))
            } else if let subject {
                subjects[record.kind, default: []].insert(subject)
            }
        }
    }

    /// Whether there is any record of that kind: where there is none, a restore need not look at the rows.
    package func tells(of kind: String) -> Bool { kinds.contains(kind) }

    /// Whether the row with that digest was erased or ended.
    package func holds(_ kind: String, _ digest: [UInt8]) -> Bool {
        guard let found = subjects[kind] else { return false }
        return key.seals(digest).contains { Subject($0).map { found.contains($0) } == true }
    }

    /// For each payload that was given and taken back: whether the last record gave it.
    ///
    /// - Parameter digest: only what is about that row.
    package func last(
        _ given: String, _ takenBack: String, about digest: [UInt8]? = nil
    ) -> [[UInt8]: Bool] {
        var standing: [[UInt8]: Bool] = [:]
        for entry in entries(about: digest) {
            if entry.kind == given { standing[entry.payload] = true }
            if entry.kind == takenBack { standing[entry.payload] = false }
        }
        return standing
    }

    /// The greatest of the texts that were recorded about a row.
    package func greatest(_ kind: String, about digest: [UInt8]) -> String? {
        guard let found = greatestTexts[kind] else { return nil }
        return key.seals(digest).compactMap { Subject($0).flatMap { found[$0] } }.max()
    }

    /// In the order in which they were made, whichever secret each was written under.
    private func entries(about digest: [UInt8]?) -> [Entry] {
        guard let digest else { return payloads[nil] ?? [] }
        return key.seals(digest).flatMap { payloads[Subject($0)] ?? [] }.sorted { $0.place < $1.place }
    }

    /// The latest time that a record of that kind without a subject names, in seconds since 1970.
    package func latest(_ kind: String) -> Date? {
        let times = (payloads[nil] ?? []).filter { $0.kind == kind }.compactMap {
            TimeInterval(String(decoding: $0.payload, as: UTF8.self))
        }
        return times.max().map { Date(timeIntervalSince1970: $0) }
    }
}

/// The journal cannot be read as a whole, so nothing may be served.
package enum JournalFailure: Error, Equatable {
    case damaged(String)
    /// Written under another secret of the service.
    case otherSecret
    /// A segment went while the journal was read: another process merged it. The restore plans anew.
    case changed
}

/// Reads the segments of a restore, a bounded part at a time.
package struct JournalReader: Sendable {
    /// Records in one part, give or take a segment.
    package static let recordsInPart = 1_000_000

    let restoreGuard: RestoreGuard
    let isLenient: Bool
    let recordsInPart: Int
    private var rest: ArraySlice<JournalSegment>
    /// Segments that could not be read and were left out.
    package private(set) var leftOut = 0

    init(
        _ restoreGuard: RestoreGuard, _ segments: [JournalSegment], leniently isLenient: Bool,
        recordsInPart: Int
    ) {
        self.restoreGuard = restoreGuard
        self.isLenient = isLenient
        self.recordsInPart = recordsInPart
        rest = segments[...]
    }

    /// The number of segments that are still to be read.
    package var remaining: Int { rest.count }

    /// The next part; nil after the last.
    ///
    /// - Throws: `JournalFailure`, `ObjectStoreError`.
    package mutating func next() async throws -> ErasureJournal? {
        guard !rest.isEmpty else { return nil }
        var part = ErasureJournal(key: restoreGuard.key)
        while let segment = rest.first, part.count < recordsInPart {
            do {
                guard let records = try await restoreGuard.read(segment) else { throw JournalFailure.changed }
                part.add(records)
            } catch let failure as JournalFailure where failure != .changed {
                guard isLenient else { throw failure }
                leftOut += 1
                restoreGuard.logger.warning(
                    "a part of the journal of erasures is left out", metadata: ["reason": "\(failure)"])
            }
            rest.removeFirst()
        }
        return part
    }
}
