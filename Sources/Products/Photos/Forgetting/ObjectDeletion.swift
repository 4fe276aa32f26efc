import ObjectStorage

/// Deletes many objects such that one object which the store cannot delete does not prevent the deletion of the others. It
/// also distinguishes such an object from a store that deletes nothing at all.
struct ObjectDeletion: Sendable {
    /// The number of parts into which a failed part is divided: four attempts find one object in a thousand.
    private static let parts = 10

    let objects: any ObjectStore

    /// - Returns: the objects that the store did not delete, each with the reason.
    /// - Throws: `ObjectStoreError` if the store as a whole fails.
    func delete(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> [ObjectKey: String] {
        do {
            return try await objects.delete(keys)
        } catch {
            if Task.isCancelled { throw error }
            // If the store as a whole is unavailable, this throws.
            try await objects.check()
            guard keys.count > 1 else { return keys.first.map { [$0: "\(error)"] } ?? [:] }
            var search = Search()
            try await split(keys[...], &search)
            return search.kept
        }
    }

    private struct Search {
        var kept: [ObjectKey: String] = [:]
        var hasDeleted = false
    }

    /// Tries the parts of a set of objects that failed as a whole, then divides the parts that fail too.
    private func split(_ keys: ArraySlice<ObjectKey>, _ search: inout Search) async throws(ObjectStoreError) {
        var failed: [ArraySlice<ObjectKey>] = []
        for part in Self.divided(keys) {
            do {
                search.kept.merge(try await objects.delete(Array(part))) { $1 }
                search.hasDeleted = true
            } catch {
                if Task.isCancelled { throw error }
                if part.count > 1 {
                    failed.append(part)
                } else if let key = part.first {
                    search.kept[key] = "\(error)"
                }
                // If that many single objects failed and none was deleted, the store is at fault, not the objects.
                if !search.hasDeleted, search.kept.count >= Self.parts { throw error }
            }
        }
        for part in failed { try await split(part, &search) }
    }

    private static func divided(_ keys: ArraySlice<ObjectKey>) -> [ArraySlice<ObjectKey>] {
        let size = (keys.count + parts - 1) / parts
        return stride(from: keys.startIndex, to: keys.endIndex, by: size).map {
            keys[$0..<min($0 + size, keys.endIndex)]
        }
    }
}
