/// The journal cannot be read completely, so the service must not serve.
package enum JournalFailure: Error, Equatable {
    /// The object with this key cannot be decoded.
    case damaged(String)
    /// A segment was written under a secret that the service no longer has.
    case otherSecret
    /// A segment disappeared during the restore because another process merged it. The restore must plan again.
    case changed
}

/// Reads the segments of a restore in parts of bounded size.
package struct JournalReader: Sendable {
    /// The number of records after which a part is complete. The last segment may exceed it.
    package static let recordsInPart = 1_000_000

    let restoreGuard: RestoreGuard
    let isLenient: Bool
    let recordsInPart: Int
    private var rest: ArraySlice<JournalSegment>
    /// The number of segments that were skipped because they could not be read.
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
                    "skipped a part of the journal of erasures", metadata: ["reason": "\(failure)"])
            }
            rest.removeFirst()
        }
        return part
    }
}
