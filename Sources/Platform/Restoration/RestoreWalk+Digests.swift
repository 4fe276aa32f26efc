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
    /// Erases rows again, or ends them again, if the journal has a record of the kind about them.
    ///
    /// - Parameters:
    ///   - rows: the page's rows in the order of their keys: those with keys greater than `after`, and at most `limit`
    ///     different keys.
    ///   - erase: is called unless no row matched. Returns the number of rows that were erased. Some may be gone already.
    package static func erasing<Row: Sendable>(
        _ name: String, _ kind: ErasureKind, count: WritableKeyPath<RestoreReport, Int> & Sendable,
        rows: @escaping @Sendable (_ after: UUID, _ limit: Int) async throws -> [DigestedRow<Row>],
        erase: @escaping @Sendable ([Row]) async throws -> Int
    ) -> RestoreWalk {
        RestoreWalk(name, .journal([kind]), count: count) { scope, after, limit in
            let page = try await rows(after, limit)
            guard let last = page.last?.key else { return nil }
            let erased = page.compactMap(\.row).filter { scope.journal.contains(kind, $0.digest) }
            return (last, erased.isEmpty ? 0 : try await erase(erased.map(\.value)))
        }
    }
}
