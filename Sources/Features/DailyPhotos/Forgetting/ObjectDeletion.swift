import ObjectStorage

/// Deletes many objects so that one on which the store chokes keeps no others, and tells such an object from a store
/// that deletes nothing at all.
struct ObjectDeletion: Sendable {
    /// A part of the objects is tried in so many parts of its own: four attempts find one in a thousand.
    private static let parts = 10

    let objects: any ObjectStore

    /// - Returns: The objects that the store kept, each with the reason.
    /// - Throws: `ObjectStoreError` when it is the store that fails, whatever is asked of it.
    func delete(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> [ObjectKey: String] {
        do {
            return try await objects.delete(keys)
        } catch {
            if Task.isCancelled { throw error }
            // A store that is down says so here.
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

    /// Tries the parts of what failed as a whole, then the parts of those that fail too.
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
                // So many by themselves, and none has gone: it is not the objects' fault.
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
