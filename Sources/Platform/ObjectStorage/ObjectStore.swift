import Foundation
import NIOCore

/// A bucket of immutable objects, the same over files and over S3.
///
/// Keys are never used twice by the callers, so no operation has to be conditional; every operation may be
/// repeated safely. No call follows redirects, and each ends within a deadline of its own.
package protocol ObjectStore: Sendable {
    /// Stores `bytes` under `key` and returns once they are durable and confirmed.
    ///
    /// Takes at most ten seconds, retries included. When it throws, the object may exist all the same, even
    /// later: its key stays on record until it is deleted.
    /// - Throws: ``ObjectStoreError/unavailable(_:)``, also when the store said yes but kept nothing.
    func put(_ key: ObjectKey, _ bytes: ByteBuffer, contentType: String) async throws(ObjectStoreError)

    /// The whole object.
    /// - Throws: ``ObjectStoreError/notFound`` when there is none.
    func get(_ key: ObjectKey) async throws(ObjectStoreError) -> ByteBuffer

    /// Size, ETag and date of an object, `nil` when there is none.
    func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectMetadata?

    /// Deletes any number of objects; deleting what is not there succeeds.
    /// - Returns: the keys that could not be deleted, each with the reason; empty when all are gone.
    /// - Throws: when nothing is known about some of them, for example because the store went away.
    func delete(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> [ObjectKey: String]

    /// One page of the objects whose keys begin with `prefix`, in ascending order of the keys' bytes.
    /// - Parameters:
    ///   - continuation: what the page before gave; opaque.
    ///   - limit: the largest number of objects wanted, 1 to 1,000.
    func list(
        prefix: String, continuation: String?, limit: Int
    ) async throws(ObjectStoreError) -> ObjectListing

    /// A URL by which anybody may read the object until `expiresAt`. The same arguments give the same URL,
    /// byte for byte; see ``PresignedURLWindow`` for the dates.
    func presignedGet(
        _ key: ObjectKey, signedAt: Date, expiresAt: Date
    ) throws(ObjectStoreError) -> String

    /// Whether the store can be reached, the bucket is there and the credentials are accepted.
    func check() async throws(ObjectStoreError)

    /// The store's own clock now, by which it dates objects: what ``ObjectListing/Object/lastModified`` has to be
    /// compared with to tell an object's age, because this machine's clock may differ. Right to about a second.
    /// - Returns: `nil` when the store does not tell.
    func currentDate() async throws(ObjectStoreError) -> Date?

    /// Gives up connections. Nothing may be asked of the store afterwards.
    func shutdown() async
}

extension ObjectStore {
    package func list(
        prefix: String, continuation: String? = nil
    ) async throws(ObjectStoreError) -> ObjectListing {
        try await list(prefix: prefix, continuation: continuation, limit: 1_000)
    }

    package func presignedGet(
        _ key: ObjectKey, _ window: PresignedURLWindow
    ) throws(ObjectStoreError) -> String {
        try presignedGet(key, signedAt: window.signedAt, expiresAt: window.expiresAt)
    }

    package func currentDate() async throws(ObjectStoreError) -> Date? { nil }

    package func shutdown() async {}
}

/// Facts that a store knows about an object beside its bytes.
package struct ObjectMetadata: Sendable, Hashable {
    package let size: Int
    /// Without quotes; `nil` where the server gave none. Only an MD5-shaped one says anything of the content.
    package let etag: String?
    package let lastModified: Date?
    /// The version that it is, in a bucket that keeps versions.
    package let versionID: String?

    package init(size: Int, etag: String?, lastModified: Date?, versionID: String? = nil) {
        self.size = size
        self.etag = etag
        self.lastModified = lastModified
        self.versionID = versionID
    }
}

/// One page of a listing.
package struct ObjectListing: Sendable, Hashable {
    package struct Object: Sendable, Hashable {
        package let key: ObjectKey
        package let size: Int
        package let lastModified: Date
        /// Deleted for readers, but not gone: the bucket keeps older versions, or the marker that hides them.
        /// ``ObjectStore/delete(_:)`` ends it. Only stores that are told to delete versions list such objects.
        package let isHidden: Bool

        package init(key: ObjectKey, size: Int, lastModified: Date, isHidden: Bool = false) {
            self.key = key
            self.size = size
            self.lastModified = lastModified
            self.isHidden = isHidden
        }
    }

    package let objects: [Object]
    /// The argument for the next page; `nil` after the last.
    package let continuation: String?

    package init(objects: [Object], continuation: String?) {
        self.objects = objects
        self.continuation = continuation
    }
}
