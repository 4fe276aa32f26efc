import Foundation
import NIOCore
import ObjectStorage
import Synchronization

/// A store whose dates, clock, listing and HEADs are not what they should be.
@dynamicMemberLookup
final class ShiftedStore: ObjectStore {
    struct State: Sendable {
        var reverses = false
        var listsNothing = false
        var hasLostAll = false
        /// A versioned bucket in which somebody has deleted everything without its versions.
        var hidesAll = false
        var missesFirstHead = false
        var refusesFirstContinuation = false
        /// Nil: never.
        var listsBeforeFailing: Int?
        /// Every key that was listed.
        var listed: [String] = []
        var heads: Set<ObjectKey> = []
        var beforeSecondList: (@Sendable () async -> Void)?
        var lists = 0
        var beforeHead: (@Sendable () async -> Void)?
        var afterFirstList: (@Sendable () async -> Void)?
    }

    private let store: any ObjectStore
    private let dateShift: TimeInterval
    /// Nil: it does not tell the time.
    private let clockShift: TimeInterval?
    private let state = Mutex(State())

    init(
        _ store: any ObjectStore, datesBy dateShift: TimeInterval = 0, clockBy clockShift: TimeInterval? = nil
    ) {
        self.store = store
        self.dateShift = dateShift
        self.clockShift = clockShift
    }

    subscript<Value: Sendable>(dynamicMember member: WritableKeyPath<State, Value> & Sendable) -> Value {
        get { state.withLock { $0[keyPath: member] } }
        set { state.withLock { $0[keyPath: member] = newValue } }
    }

    func list(prefix: String, continuation: String?, limit: Int) async throws(ObjectStoreError)
        -> ObjectListing
    {
        let (now, refuses, fails) = state.withLock { state in
            state.lists += 1
            let now = state
            if continuation != nil { state.refusesFirstContinuation = false }
            state.listsBeforeFailing = state.listsBeforeFailing.map { $0 - 1 }
            state.afterFirstList = nil
            return (now, now.refusesFirstContinuation && continuation != nil, now.listsBeforeFailing == 0)
        }
        if now.lists == 2 { await now.beforeSecondList?() }
        if refuses { throw .rejected("told to forget it") }
        if fails { throw .unavailable("told to fail") }
        if now.listsNothing || now.hasLostAll { return ObjectListing(objects: [], continuation: nil) }
        let page = try await store.list(prefix: prefix, continuation: continuation, limit: limit)
        await now.afterFirstList?()
        state.withLock { $0.listed += page.objects.map(\.key.rawValue) }
        let objects = page.objects.map {
            ObjectListing.Object(
                key: $0.key, size: $0.size, lastModified: $0.lastModified + dateShift, isHidden: now.hidesAll)
        }
        return ObjectListing(
            objects: now.reverses ? objects.reversed() : objects, continuation: page.continuation)
    }

    func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectMetadata? {
        let (now, isFirst) = state.withLock { ($0, $0.heads.insert(key).inserted) }
        await now.beforeHead?()
        if now.hasLostAll || now.hidesAll || (now.missesFirstHead && isFirst) { return nil }
        return try await store.head(key)
    }

    func currentDate() async throws(ObjectStoreError) -> Date? {
        clockShift.map { Date() + $0 }
    }

    func put(_ key: ObjectKey, _ bytes: ByteBuffer, contentType: String) async throws(ObjectStoreError) {
        try await store.put(key, bytes, contentType: contentType)
    }
    func get(_ key: ObjectKey) async throws(ObjectStoreError) -> ByteBuffer { try await store.get(key) }
    func delete(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> [ObjectKey: String] {
        try await store.delete(keys)
    }
    func presignedGet(_ key: ObjectKey, signedAt: Date, expiresAt: Date) throws(ObjectStoreError) -> String {
        try store.presignedGet(key, signedAt: signedAt, expiresAt: expiresAt)
    }
    func check() async throws(ObjectStoreError) { try await store.check() }
}
