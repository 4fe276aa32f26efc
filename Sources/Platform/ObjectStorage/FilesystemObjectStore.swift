import Foundation
import Logging
import NIOCore
import NIOPosix

/// Objects as files under a folder, for one machine. URLs are signed by the service and served by it.
package final class FilesystemObjectStore: ObjectStore {
    private let signer: FileURLSigner

    /// - Parameters:
    ///   - root: the folder; made when it is not there.
    ///   - publicURL: where clients reach the service.
    ///   - secret: the service's secret; see ``FileURLSigner``.
    ///   - threads: where the blocking calls run.
    package init(
        root: String, publicURL: String, secret: [UInt8], threads: NIOThreadPool = .singleton, logger: Logger
    ) {
        self.signer = FileURLSigner(publicURL: publicURL, secret: secret)
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
    ) throws(ObjectStoreError) -> String { signer.url(for: key, expiresAt: expiresAt) }

    package func check() async throws(ObjectStoreError) { throw .unavailable("not built yet") }

    /// Which object a request target of the `/files/` route may read. See ``FileURLSigner/verify(target:now:)``.
    package func verify(target: String, now: Date) -> Result<ObjectKey, FileURLSigner.Rejection> {
        signer.verify(target: target, now: now)
    }

    /// Opens an object for reading in parts, `nil` when there is none.
    package func open(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectFile? { nil }
}
