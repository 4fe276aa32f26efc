import Foundation

/// A part of the journal's records, indexed by their subjects. Parts have a bounded size, so a restore needs the same
/// memory whatever the journal's length.
package struct ErasureJournal: Sendable {
    /// A sealed digest of 16 bytes, as two integers to save memory.
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
        let kind: ErasureKind
        let payload: [UInt8]
        /// Its position among all records: after a change of secrets, records about one row have several keys.
        let position: Int
    }

    /// The number of records, including those of kinds that this version does not know.
    package private(set) var count = 0
    private let key: JournalKey
    private var subjects: [ErasureKind: Set<Subject>] = [:]
    /// Records with a payload, in the order in which they were made. Records without a subject are under nil.
    private var payloads: [Subject?: [Entry]] = [:]
    private var kinds: Set<ErasureKind> = []
    private var lastHole: Int?

    init(_ records: [JournalRecord] = [], key: JournalKey) {
        self.key = key
        add(records)
    }

    mutating func add(_ records: [JournalRecord]) {
        for record in records {
            count += 1
            let kind = ErasureKind(rawValue: record.kind)
            kinds.insert(kind)
            if kind == .hole, let epoch = Self.epoch(of: record) { lastHole = max(epoch, lastHole ?? 0) }
            let subject = Subject(record.subject)
            if let payload = record.payload {
                payloads[subject, default: []].append(Entry(kind: kind, payload: payload, position: count))
            } else if let subject {
                subjects[kind, default: []].insert(subject)
            }
        }
    }

    /// If there are no records of a kind, a restore need not look for rows.
    package func hasRecords(of kind: ErasureKind) -> Bool { kinds.contains(kind) }

    /// Whether a part of the journal was found missing after the two histories of the plan diverged. An earlier hole does
    /// not matter, because the backup has all that was in it.
    package func hasHole(since plan: RestorePlan) -> Bool {
        lastHole.map { $0 >= plan.forkEpoch } ?? false
    }

    /// Whether the row with that digest was erased or ended.
    package func contains(_ kind: ErasureKind, _ digest: [UInt8]) -> Bool {
        guard let known = subjects[kind] else { return false }
        return key.seals(digest).contains { Subject($0).map { known.contains($0) } == true }
    }

    /// For each payload of two kinds that undo each other, such as a block and its end: whether the last record has the
    /// first kind.
    ///
    /// - Parameter digest: the row that the records are about; nil for records without a subject.
    package func lastStates(
        _ kind: ErasureKind, undoneBy undoing: ErasureKind, about digest: [UInt8]? = nil
    ) -> [[UInt8]: Bool] {
        var states: [[UInt8]: Bool] = [:]
        for entry in entries(about: digest) {
            if entry.kind == kind { states[entry.payload] = true }
            if entry.kind == undoing { states[entry.payload] = false }
        }
        return states
    }

    /// The latest time up to which a restore has ended all sessions and open invitations.
    package var allEndedAt: Date? {
        let times = (payloads[nil] ?? []).filter { $0.kind == .allEnded }.compactMap {
            TimeInterval(String(decoding: $0.payload, as: UTF8.self))
        }
        return times.max().map { Date(timeIntervalSince1970: $0) }
    }

    /// The epoch in which a hole was noted.
    private static func epoch(of hole: JournalRecord) -> Int? {
        hole.payload.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
    }

    /// In the order in which the records were made, whatever secret each was written under.
    private func entries(about digest: [UInt8]?) -> [Entry] {
        guard let digest else { return payloads[nil] ?? [] }
        return key.seals(digest).flatMap { payloads[Subject($0)] ?? [] }.sorted { $0.position < $1.position }
    }
}
