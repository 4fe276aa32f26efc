import AsyncHTTPClient
import Foundation
import Logging
import NIOCore

/// A bucket on any S3-compatible server.
package final class S3ObjectStore: ObjectStore {
    private let configuration: S3Configuration

    /// - Throws: ``ObjectStoreError/rejected(_:)`` when the configuration cannot be meant.
    package init(configuration: S3Configuration, logger: Logger) throws(ObjectStoreError) {
        self.configuration = configuration
    }

    package func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, contentType: String
    ) async throws(ObjectStoreError) { throw .unavailable("not built yet") }

    package func get(_ key: ObjectKey) async throws(ObjectStoreError) -> ByteBuffer { throw .notFound }

    package func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectMetadata? { nil }

    package func delete(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> [ObjectKey: String] { [:] }

    package func list(
        prefix: String, continuation: String?, limit: Int
    ) async throws(ObjectStoreError) -> ObjectListing { ObjectListing(objects: [], continuation: nil) }

    package func presignedGet(
        _ key: ObjectKey, signedAt: Date, expiresAt: Date
    ) throws(ObjectStoreError) -> String { throw .unavailable("not built yet") }

    package func check() async throws(ObjectStoreError) { throw .unavailable("not built yet") }

    /// Makes the bucket if it is not there: for tests and `dayly doctor`.
    package func ensureBucket() async throws(ObjectStoreError) { throw .unavailable("not built yet") }

    /// Whether deleted objects are really gone.
    package func retention() async throws(ObjectStoreError) -> BucketRetention { .unknown }

    package func shutdown() async {}
}

/// What a bucket does with what is deleted.
package enum BucketRetention: Sendable, Hashable {
    /// Deleted is deleted.
    case none
    /// Versioning is or was on: deleting only hides.
    case versioned
    /// Object lock is on: objects cannot be deleted.
    case locked
    /// The server does not say (many S3-likes have neither and answer with an error).
    case unknown
}
