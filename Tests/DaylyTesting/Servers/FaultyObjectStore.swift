import Foundation
import NIOCore
import ObjectStorage
import Synchronization

/// A real store that fails on command.
package final class FaultyObjectStore: ObjectStore {
    package struct Faults: Sendable {
        package var failPuts = false
        /// The time on its clock; nil: the real store's.
        package var date: (@Sendable () -> Date)?
        /// The PUT fails for the client, and lands all the same.
        package var loseReplies = false
        package var failDeletes = false
        /// How many listings from now on show nothing.
        package var emptyListings = 0
        /// The store does not answer at all, as far as `check` can tell.
        package var failChecks = false
        /// Keys on which every DeleteObjects fails as a whole.
        package var choke: Set<ObjectKey> = []
        /// Keys that DeleteObjects reports as failed.
        package var keep: Set<ObjectKey> = []
        /// Objects that were deleted in a bucket that keeps versions: readers do not find them, and listings have them.
        package var hidden: Set<ObjectKey> = []
        /// Runs before every PUT.
        package var beforePut: (@Sendable () async -> Void)?
        /// Runs before every DeleteObjects.
        package var beforeDelete: (@Sendable () async -> Void)?
    }

    private let store: any ObjectStore
    private let state = Mutex(Faults())
    private let asked = Mutex<[[ObjectKey]]>([])
    private let signed = Mutex(0)

    package init(_ store: any ObjectStore) {
        self.store = store
    }

    package func set(_ change: @Sendable (inout Faults) -> Void) {
        state.withLock { change(&$0) }
    }

    private var faults: Faults { state.withLock { $0 } }

    /// The keys of each call to delete.
    package var deletions: [[ObjectKey]] { asked.withLock { $0 } }
    /// The number of URLs that the store has signed.
    package var signatures: Int { signed.withLock { $0 } }

    package func put(_ key: ObjectKey, _ bytes: ByteBuffer, contentType: String)
        async throws(ObjectStoreError)
    {
        let faults = faults
        await faults.beforePut?()
        if faults.failPuts { throw .unavailable("told to fail") }
        try await store.put(key, bytes, contentType: contentType)
        if faults.loseReplies { throw .unavailable("told to lose the reply") }
    }

    package func get(_ key: ObjectKey) async throws(ObjectStoreError) -> ByteBuffer {
        if faults.hidden.contains(key) { throw .notFound }
        return try await store.get(key)
    }

    package func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectMetadata? {
        if faults.hidden.contains(key) { return nil }
        return try await store.head(key)
    }

    package func delete(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> [ObjectKey: String] {
        asked.withLock { $0.append(keys) }
        await faults.beforeDelete?()
        let faults = faults
        if faults.failDeletes || !faults.choke.isDisjoint(with: keys) { throw .unavailable("told to fail") }
        let kept = keys.filter(faults.keep.contains)
        let failures = try await store.delete(keys.filter { !faults.keep.contains($0) })
        return failures.merging(kept.map { ($0, "told to keep it") }) { first, _ in first }
    }

    package func list(prefix: String, continuation: String?, limit: Int) async throws(ObjectStoreError)
        -> ObjectListing
    {
        let isEmpty = state.withLock { faults in
            defer { faults.emptyListings = max(0, faults.emptyListings - 1) }
            return faults.emptyListings > 0
        }
        if isEmpty { return ObjectListing(objects: [], continuation: nil) }
        let listing = try await store.list(prefix: prefix, continuation: continuation, limit: limit)
        let hidden = faults.hidden
        guard !hidden.isEmpty else { return listing }
        return ObjectListing(
            objects: listing.objects.map {
                ObjectListing.Object(
                    key: $0.key, size: $0.size, lastModified: $0.lastModified,
                    isHidden: hidden.contains($0.key))
            }, continuation: listing.continuation)
    }

    package func presignedGet(_ key: ObjectKey, signedAt: Date, expiresAt: Date) throws(ObjectStoreError)
        -> String
    {
        signed.withLock { $0 += 1 }
        return try store.presignedGet(key, signedAt: signedAt, expiresAt: expiresAt)
    }

    package func currentDate() async throws(ObjectStoreError) -> Date? {
        if let date = faults.date { return date() }
        return try await store.currentDate()
    }

    package func check() async throws(ObjectStoreError) {
        if faults.failChecks { throw .unavailable("told to be down") }
        try await store.check()
    }
}
