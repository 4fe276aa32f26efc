import Foundation
import KeyDerivation
import Logging
import NIOCore
import NIOPosix

/// Objects as files under a folder, for one machine. URLs are signed by the service and served by it.
///
/// An object is there wholly or not at all, and survives a power cut once ``put(_:_:contentType:)`` has
/// returned. Several processes may use the folder at once. Unlike on S3, `a` and `a/b` cannot both be keys of
/// objects.
package final class FilesystemObjectStore: ObjectStore {
    private let tree: FileTree
    let listings: FileListings
    private let signer: FileURLSigner
    private let threads: NIOThreadPool
    private let logger: Logger

    /// - Parameters:
    ///   - root: the folder; made when it is first needed.
    ///   - publicURL: where clients reach the service.
    ///   - secret: the service's secrets; see ``FileURLSigner``.
    ///   - threads: where the blocking calls run.
    package init(
        root: String, publicURL: String, secret: some SecretSource, threads: NIOThreadPool = .singleton,
        logger: Logger
    ) {
        self.tree = FileTree(root: root)
        self.listings = FileListings()
        self.signer = FileURLSigner(publicURL: publicURL, secret: secret)
        self.threads = threads
        self.logger = logger
    }

    package func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, contentType: String
    ) async throws(ObjectStoreError) {
        try await blocking("put", key) { try $0.write(bytes, to: key) }
    }

    package func get(_ key: ObjectKey) async throws(ObjectStoreError) -> ByteBuffer {
        try await blocking("get", key) { tree in
            guard let file = try tree.open(key) else { throw ObjectStoreError.notFound }
            return try file.descriptor.read(0..<file.size)
        }
    }

    package func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectMetadata? {
        try await blocking("head", key) { tree in
            try tree.open(key).map { file in
                ObjectMetadata(
                    size: file.size, etag: file.etag.filter { $0 != "\"" }, lastModified: file.lastModified)
            }
        }
    }

    package func delete(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> [ObjectKey: String] {
        try await blocking("delete", nil) { tree in
            var failures: [ObjectKey: String] = [:]
            for key in keys {
                do { try tree.delete(key) } catch { failures[key] = "\(error)" }
            }
            return failures
        }
    }

    package func list(
        prefix: String, continuation: String?, limit: Int
    ) async throws(ObjectStoreError) -> ObjectListing {
        try await blocking("list", nil) { [listings] tree in
            if continuation == nil { tree.removeAbandonedFiles() }
            return try listings.page(
                of: tree, prefix: prefix, after: continuation, limit: min(max(limit, 1), 1_000))
        }
    }

    package func presignedGet(
        _ key: ObjectKey, signedAt: Date, expiresAt: Date
    ) throws(ObjectStoreError) -> String { signer.url(for: key, expiresAt: expiresAt) }

    /// Writes, flushes and removes a small file.
    package func check() async throws(ObjectStoreError) {
        try await blocking("check", nil) { try $0.probe() }
    }

    /// The file system's clock, which is another machine's where the folder is mounted from one.
    package func currentDate() async throws(ObjectStoreError) -> Date? {
        try await blocking("clock", nil) { try $0.currentDate() }
    }

    /// Which object a request target of the `/files/` route may read. See ``FileURLSigner/verify(target:now:)``.
    package func verify(target: String, now: Date) -> Result<ObjectKey, FileURLSigner.Rejection> {
        signer.verify(target: target, now: now)
    }

    /// Opens an object for reading in parts, `nil` when there is none.
    package func open(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectFile? {
        try await blocking("open", key) { [threads] tree in
            try tree.open(key).map {
                ObjectFile($0, contentType: Self.contentType(of: key), threads: threads)
            }
        }
    }

    private static func contentType(of key: ObjectKey) -> String {
        key.rawValue.hasSuffix(".jpg") ? "image/jpeg" : "application/octet-stream"
    }

    /// Runs blocking calls on a thread that may block. A malformed key gets no further than here.
    private func blocking<T: Sendable>(
        _ operation: String, _ key: ObjectKey?, _ body: @escaping @Sendable (FileTree) throws -> T
    ) async throws(ObjectStoreError) -> T {
        let (threads, tree) = (threads, tree)
        return try await measured(operation) { () async throws(ObjectStoreError) in
            do {
                return try await threads.runIfActive { try body(tree) }
            } catch let error as ObjectStoreError {
                throw error
            } catch let failure as FileFailure {
                throw failure.storeError
            } catch {
                throw .unavailable("cancelled, or shutting down")
            }
        }
    }
}
