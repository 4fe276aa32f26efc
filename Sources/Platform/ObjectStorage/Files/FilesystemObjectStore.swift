import Foundation
import KeyDerivation
import Logging
import NIOCore
import NIOPosix

/// Stores objects as files in a folder, for a service on one machine. The service signs their URLs and serves them
/// itself.
///
/// An object exists completely or not at all, and survives a power cut once ``put(_:_:contentType:)`` has returned.
/// Several processes may use the folder at the same time. Unlike on S3, `a` and `a/b` cannot both be keys of objects.
package final class FilesystemObjectStore: ObjectStore {
    private let tree: FileTree
    let listings: FileListings
    private let signer: FileURLSigner
    private let threads: NIOThreadPool
    private let logger: Logger

    /// - Parameters:
    ///   - root: the folder; it is created when it is first needed.
    ///   - publicURL: the service's URL for clients.
    ///   - secret: the service's secrets; see ``FileURLSigner``.
    ///   - threads: the threads for the blocking calls.
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
        try await blocking("put") { try $0.write(bytes, to: key) }
    }

    package func get(_ key: ObjectKey) async throws(ObjectStoreError) -> ByteBuffer {
        try await blocking("get") { tree in
            guard let file = try tree.open(key) else { throw ObjectStoreError.notFound }
            return try file.descriptor.read(0..<file.size)
        }
    }

    package func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectMetadata? {
        try await blocking("head") { tree in
            try tree.open(key).map { file in
                ObjectMetadata(
                    size: file.size, etag: file.etag.filter { $0 != "\"" }, lastModified: file.lastModified)
            }
        }
    }

    package func delete(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> [ObjectKey: String] {
        try await blocking("delete") { tree in
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
        try await blocking("list") { [listings] tree in
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
        try await blocking("check") { try $0.probe() }
    }

    /// The time of the file system's clock. If the folder is mounted from another machine, it is that machine's clock.
    package func currentDate() async throws(ObjectStoreError) -> Date? {
        try await blocking("clock") { try $0.currentDate() }
    }

    /// The object that a request target of the `/files/` route may read; see ``FileURLSigner/verify(target:now:)``.
    package func verify(target: String, now: Date) -> Result<ObjectKey, FileURLSigner.Rejection> {
        signer.verify(target: target, now: now)
    }

    /// Opens an object to read it in parts; `nil` when there is no such object.
    package func open(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectFile? {
        try await blocking("open") { [threads] tree in
            try tree.open(key).map {
                ObjectFile($0, contentType: Self.contentType(of: key), threads: threads)
            }
        }
    }

    private static func contentType(of key: ObjectKey) -> String {
        key.rawValue.hasSuffix(".jpg") ? "image/jpeg" : "application/octet-stream"
    }

    /// Runs blocking calls on a thread that may block, and translates their errors.
    private func blocking<T: Sendable>(
        _ operation: String, _ body: @escaping @Sendable (FileTree) throws -> T
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
