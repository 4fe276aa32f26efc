import DaylyTesting
import Foundation
import Logging
import NIOCore
import ObjectStorage

/// The object stores that the whole story runs on.
enum Store: String, CaseIterable, Sendable, CustomStringConvertible {
    case filesystem, swift, rclone

    var description: String { rawValue }
}

/// A folder or a bucket for one test.
struct Bucket: Sendable {
    let store: Store
    /// The service's settings for it.
    let settings: [String: String]
    /// Where the S3 server listens on 127.0.0.1.
    let port: Int?
    private let folder: URL
    private let objects: S3ObjectStore?

    /// - Parameters:
    ///   - folder: the test's own; a filesystem store's files come under it.
    static func make(_ store: Store, folder: URL) async throws -> Bucket {
        if store == .filesystem {
            let path = folder.appendingPathComponent("objects")
            return Bucket(
                store: store, settings: ["storage.kind": "filesystem", "storage.path": path.path],
                port: nil, folder: path, objects: nil)
        }
        guard let server = S3Server(rawValue: store.rawValue) else {
            throw TimedOut(description: "\(store) is not an S3 server")
        }
        let configuration = try server.configuration(
            bucket: "e2e-\(UUID().uuidString.lowercased().prefix(18))")
        let objects = try S3ObjectStore(configuration: configuration, logger: Logger(label: "e2e"))
        try await objects.makeBucket()
        return Bucket(
            store: store,
            settings: [
                "storage.kind": "s3", "storage.s3.endpoint": configuration.endpoint.absoluteString,
                "storage.s3.bucket": configuration.bucket,
                "storage.s3.access_key_id": configuration.accessKeyID,
                "storage.s3.secret_access_key": configuration.secretAccessKey,
            ],
            port: try server.port(), folder: folder, objects: objects)
    }

    /// Writes objects of a few bytes, as an accepted upload leaves them.
    func put(_ keys: [String]) async throws {
        guard let objects else { throw TimedOut(description: "only a bucket can be written to") }
        try await withThrowingTaskGroup(of: Void.self) { puts in
            for (index, key) in keys.enumerated() {
                if index >= 16 { try await puts.next() }
                puts.addTask {
                    try await objects.put(
                        ObjectKey(key), ByteBuffer(string: "x"), contentType: "image/jpeg")
                }
            }
            try await puts.waitForAll()
        }
    }

    /// The keys of all objects there are, but for what the service keeps for itself.
    func keys() async throws -> [String] {
        guard let objects else { return files.filter { !$0.hasPrefix("objects/dayly/") } }
        return try await listed(objects).map(\.rawValue).filter { !$0.hasPrefix("dayly/") }
    }

    private var files: [String] {
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return names.filter { name in
            var isFolder: ObjCBool = false
            let path = folder.appendingPathComponent(name).path
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        }
    }

    private func listed(_ objects: S3ObjectStore) async throws -> [ObjectKey] {
        var keys: [ObjectKey] = []
        var continuation: String?
        repeat {
            let page = try await objects.list(prefix: "", continuation: continuation)
            keys += page.objects.map(\.key)
            continuation = page.continuation
        } while continuation != nil
        return keys
    }

    /// The bytes of all objects there are.
    func contents() async throws -> [[UInt8]] {
        guard let objects else {
            return try files.map { [UInt8](try Data(contentsOf: folder.appendingPathComponent($0))) }
        }
        var contents: [[UInt8]] = []
        for key in try await listed(objects) {
            contents.append([UInt8](try await objects.get(key).readableBytesView))
        }
        return contents
    }

    func close() async {
        await objects?.shutdown()
    }
}
