import Foundation
import NIOCore

/// A bucket of immutable objects, with the same behaviour on files and on S3.
///
/// Callers never use a key twice, so no operation needs a condition, and every operation may be repeated safely. No call
/// follows redirects, and each call ends within its own deadline.
package protocol ObjectStore: Sendable {
    /// Stores `bytes` under `key` and returns when they are durable and confirmed.
    ///
    /// Takes at most ten seconds, retries included. When it throws, the object may exist nevertheless, or may appear
    /// later: the caller must keep its key on record until it is deleted.
    /// - Throws: ``ObjectStoreError/unavailable(_:)``, also when the store reported success but kept nothing.
    func put(_ key: ObjectKey, _ bytes: ByteBuffer, contentType: String) async throws(ObjectStoreError)

    /// The whole object.
    /// - Throws: ``ObjectStoreError/notFound`` when there is no such object.
    func get(_ key: ObjectKey) async throws(ObjectStoreError) -> ByteBuffer

    /// The size, ETag and date of an object; `nil` when there is no such object.
    func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectMetadata?

    /// Deletes any number of objects. Deleting a missing object succeeds.
    /// - Returns: the keys that could not be deleted, each with the reason; empty when all are gone.
    /// - Throws: when the fate of some objects is unknown, for example because the store became unreachable.
    func delete(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> [ObjectKey: String]

    /// One page of the objects whose keys begin with `prefix`, in ascending order of the keys' bytes.
    /// - Parameters:
    ///   - continuation: the continuation of the page before; opaque.
    ///   - limit: the largest number of objects in the page, 1 to 1,000.
    func list(
        prefix: String, continuation: String?, limit: Int
    ) async throws(ObjectStoreError) -> ObjectListing

    /// A URL with which anybody may read the object until `expiresAt`. The same arguments give the same URL, byte for
    /// byte; ``PresignedURLWindow`` chooses the dates.
    func presignedGet(
        _ key: ObjectKey, signedAt: Date, expiresAt: Date
    ) throws(ObjectStoreError) -> String

    /// Throws unless the store can be reached, the bucket exists and the store accepts the credentials.
    func check() async throws(ObjectStoreError)

    /// The current time of the store's own clock, with which it dates objects. Compare it with
    /// ``ObjectListing/Object/lastModified`` to get an object's age, because this machine's clock may differ. It is
    /// accurate to about a second.
    /// - Returns: `nil` when the store does not report it.
    func currentDate() async throws(ObjectStoreError) -> Date?

    /// Closes the connections. The store must not be used afterwards.
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

/// A store's information about an object, without its bytes.
package struct ObjectMetadata: Sendable, Hashable {
    package let size: Int
    /// Without quotes; `nil` when the server sent none. Only an ETag in the form of an MD5 depends on the content.
    package let etag: String?
    package let lastModified: Date?
    /// The object's version in a bucket that keeps versions.
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
        /// Whether readers no longer see the object, but the bucket still keeps versions of it, or the marker that hides
        /// them. ``ObjectStore/delete(_:)`` removes these. Only stores configured to delete versions list such objects.
        package let isHidden: Bool

        package init(key: ObjectKey, size: Int, lastModified: Date, isHidden: Bool = false) {
            self.key = key
            self.size = size
            self.lastModified = lastModified
            self.isHidden = isHidden
        }
    }

    package let objects: [Object]
    /// The argument for the next page; `nil` after the last page.
    package let continuation: String?

    package init(objects: [Object], continuation: String?) {
        self.objects = objects
        self.continuation = continuation
    }
}
