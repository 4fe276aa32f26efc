import Foundation
import NIOCore
import ObjectStorage
import Synchronization

/// A real store that fails on command.
final class FaultyObjectStore: ObjectStore {
    struct Faults: Sendable {
        var failPuts = false
        /// The time on its clock; nil: the real store's.
        var date: (@Sendable () -> Date)?
        /// The PUT fails for the client, and lands all the same.
        var loseReplies = false
        var failDeletes = false
        /// The store does not answer at all, as far as `check` can tell.
        var failChecks = false
        /// Keys on which every DeleteObjects fails as a whole.
        var choke: Set<ObjectKey> = []
        /// Keys that DeleteObjects reports as failed.
        var keep: Set<ObjectKey> = []
        /// Runs before every PUT.
        var beforePut: (@Sendable () async -> Void)?
        /// Runs before every DeleteObjects.
        var beforeDelete: (@Sendable () async -> Void)?
    }

    private let store: any ObjectStore
    private let state = Mutex(Faults())
    private let asked = Mutex<[[ObjectKey]]>([])

    init(_ store: any ObjectStore) {
        self.store = store
    }

    func set(_ change: @Sendable (inout Faults) -> Void) {
        state.withLock { change(&$0) }
    }

    private var faults: Faults { state.withLock { $0 } }

    /// The keys of each call to delete.
    var deletions: [[ObjectKey]] { asked.withLock { $0 } }

    func put(_ key: ObjectKey, _ bytes: ByteBuffer, contentType: String) async throws(ObjectStoreError) {
        let faults = faults
        await faults.beforePut?()
        if faults.failPuts { throw .unavailable("told to fail") }
        try await store.put(key, bytes, contentType: contentType)
        if faults.loseReplies { throw .unavailable("told to lose the reply") }
    }

    func get(_ key: ObjectKey) async throws(ObjectStoreError) -> ByteBuffer { try await store.get(key) }

    func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectMetadata? {
        try await store.head(key)
    }

    func delete(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> [ObjectKey: String] {
        asked.withLock { $0.append(keys) }
        await faults.beforeDelete?()
        let faults = faults
        if faults.failDeletes || !faults.choke.isDisjoint(with: keys) { throw .unavailable("told to fail") }
        let kept = keys.filter(faults.keep.contains)
        let failures = try await store.delete(keys.filter { !faults.keep.contains($0) })
        return failures.merging(kept.map { ($0, "told to keep it") }) { first, _ in first }
    }

    func list(prefix: String, continuation: String?, limit: Int) async throws(ObjectStoreError)
        -> ObjectListing
    {
        try await store.list(prefix: prefix, continuation: continuation, limit: limit)
    }

    func presignedGet(_ key: ObjectKey, signedAt: Date, expiresAt: Date) throws(ObjectStoreError) -> String {
        try store.presignedGet(key, signedAt: signedAt, expiresAt: expiresAt)
    }

    func currentDate() async throws(ObjectStoreError) -> Date? {
        if let date = faults.date { return date() }
        return try await store.currentDate()
    }

    func check() async throws(ObjectStoreError) {
        if faults.failChecks { throw .unavailable("told to be down") }
        try await store.check()
    }
}
