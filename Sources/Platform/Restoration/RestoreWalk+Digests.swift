import Foundation

/// A row with the digest under which the journal knows it.
package struct DigestedRow<Row: Sendable>: Sendable {
    /// The key by which the walk's pages are ordered. Several rows may share one: the members of a group are in the page
    /// of their group.
    let key: UUID
    /// Nil where there is only a key, for example for a group without members.
    let row: (value: Row, digest: [UInt8])?

    package init(key: UUID, row: Row?, digest: [UInt8]?) {
        self.key = key
        if let row, let digest { self.row = (row, digest) } else { self.row = nil }
    }
}

extension RestoreWalk {
    /// Reads the rows of a page with their digests, and hands those that the journal knows to `apply`.
    ///
    /// - Parameters:
    ///   - kinds: the walk is done for each part of the journal that has records of one of them.
    ///   - rows: the page's rows in the order of their keys: those with keys greater than `after`, and at most `limit`
    ///     different keys.
    ///   - match: looks a digest up in a part of the journal. Rows without a match are skipped.
    ///   - apply: is called unless no row matched. Returns the number of changed rows.
    package static func matching<Row: Sendable, Match: Sendable>(
        _ name: String, _ kinds: Set<ErasureKind>, count: WritableKeyPath<RestoreReport, Int> & Sendable,
        rows: @escaping @Sendable (_ after: UUID, _ limit: Int) async throws -> [DigestedRow<Row>],
        match: @escaping @Sendable (_ journal: ErasureJournal, _ digest: [UInt8]) -> Match?,
        apply: @escaping @Sendable ([(row: Row, match: Match)]) async throws -> Int
    ) -> RestoreWalk {
        RestoreWalk(name, .journal(kinds), count: count) { scope, after, limit in
            let page = try await rows(after, limit)
            guard let last = page.last?.key else { return nil }
            let matches = page.compactMap(\.row).compactMap { row in
                match(scope.journal, row.digest).map { (row: row.value, match: $0) }
            }
            return (last, matches.isEmpty ? 0 : try await apply(matches))
        }
    }

    /// Erases rows again, or ends them again, if the journal has a record of the kind about them.
    ///
    /// - Parameter erase: returns the number of rows that were erased. Some may be gone already.
    package static func erasing<Row: Sendable>(
        _ name: String, _ kind: ErasureKind, count: WritableKeyPath<RestoreReport, Int> & Sendable,
        rows: @escaping @Sendable (_ after: UUID, _ limit: Int) async throws -> [DigestedRow<Row>],
        erase: @escaping @Sendable ([Row]) async throws -> Int
    ) -> RestoreWalk {
        matching(name, [kind], count: count, rows: rows) { journal, digest in
            journal.contains(kind, digest) ? () : nil
        } apply: { matches in
            try await erase(matches.map(\.row))
        }
    }
}
