import Foundation
import Logging
import NIOCore
import Testing

@testable import ObjectStorage

@Suite("Objects as files")
struct FilesystemObjectStoreTests {
    /// Runs `body` with a store in a folder of its own, and removes the folder afterwards.
    private func withStore(
        _ body: (FilesystemObjectStore, _ root: String) async throws -> Void
    ) async throws {
        let root = NSTemporaryDirectory() + "dayly-files-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        let store = FilesystemObjectStore(
            root: root, publicURL: "http://localhost", secret: [UInt8](repeating: 1, count: 32),
            logger: Logger(label: "test"))
        try await body(store, root)
    }

    private func files(_ folder: String) -> [String] {
        (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []).sorted()
    }

    @Test("tells the file system's clock and leaves nothing behind")
    func clock() async throws {
        try await withStore { store, root in
            let date = try #require(try await store.currentDate())
            #expect(abs(date.timeIntervalSinceNow) < 30)
            #expect(files(root) == ["incoming", "objects"])
        }
    }

    @Test("put, get, head, delete")
    func story() async throws {
        try await withStore { store, _ in
            let key: ObjectKey = "photos/day/a.jpg"
            #expect(try await store.head(key) == nil)
            await #expect(throws: ObjectStoreError.notFound) { try await store.get(key) }
            try await store.put(key, ByteBuffer(string: "one"), contentType: "image/jpeg")
            let first = try #require(try await store.head(key))
            try await store.put(key, ByteBuffer(string: "two!"), contentType: "image/jpeg")
            let second = try #require(try await store.head(key))
            #expect((first.size, second.size) == (3, 4))
            #expect(first.etag != second.etag)
            #expect(try await store.get(key) == ByteBuffer(string: "two!"))
            #expect(try await store.delete([key, "photos/day/absent.jpg", "absent"]) == [:])
            #expect(try await store.head(key) == nil)
            try await store.check()
        }
    }

    @Test("empty and large objects come back whole")
    func sizes() async throws {
        try await withStore { store, _ in
            for size in [0, 1, 131_072, 131_073, 3_000_000] {
                let key = try ObjectKey("s/\(size)")
                let bytes = ByteBuffer(bytes: (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
                try await store.put(key, bytes, contentType: "x/y")
                #expect(try await store.get(key) == bytes)
                let file = try #require(try await store.open(key))
                var read = ByteBuffer()
                for try await var chunk in file.chunks(in: 0..<size) {
                    #expect(chunk.readableBytes <= ObjectFile.Chunks.maxChunkBytes)
                    read.writeBuffer(&chunk)
                }
                #expect(read == bytes)
            }
        }
    }

    /// Guard: neither a key nor a link leads out of the folder (`FilesystemObjectStore`)
    @Test("a key that a caller slipped past the type leads nowhere")
    func traversal() async throws {
        try await withStore { store, root in
            let outside = root + "-outside"
            defer { try? FileManager.default.removeItem(atPath: outside) }
            try Data("secret".utf8).write(to: URL(filePath: outside))
            let name = URL(filePath: outside).lastPathComponent
            for text in ["../../\(name)", "a/../../../\(name)", "/etc/passwd", "", ".", "a\0b"] {
                let key = ObjectKey(listed: text)
                await #expect(throws: ObjectStoreError.rejected("an object key is malformed")) {
                    try await store.get(key)
                }
                await #expect(throws: ObjectStoreError.self) {
                    try await store.put(key, ByteBuffer(string: "x"), contentType: "x/y")
                }
                #expect(try await store.delete([key]).count == 1)
            }
            #expect(try Data(contentsOf: URL(filePath: outside)) == Data("secret".utf8))
        }
    }

    /// Guard: neither a key nor a link leads out of the folder (`FilesystemObjectStore`)
    @Test("a link in the place of an object is not followed")
    func links() async throws {
        try await withStore { store, root in
            try await store.put("a/real", ByteBuffer(string: "x"), contentType: "x/y")
            try FileManager.default.createSymbolicLink(
                atPath: root + "/objects/a/link", withDestinationPath: "/etc/hostname")
            await #expect(throws: ObjectStoreError.notFound) { try await store.get("a/link") }
            #expect(try await store.list(prefix: "").objects.map(\.key) == ["a/real"])
        }
    }

    /// Guard: the file of a running writer is not removed (`FilesystemObjectStore` (flock))
    @Test("a crashed writer's file is removed and never listed; a living writer's file stays")
    func abandonedFiles() async throws {
        try await withStore { store, root in
            try await store.put("a/b", ByteBuffer(string: "x"), contentType: "x/y")
            try Data("half".utf8).write(to: URL(filePath: root + "/incoming/abandoned"))
            let living = try IncomingFile(in: root + "/incoming")
            #expect(try await store.list(prefix: "").objects.map(\.key) == ["a/b"])
            #expect(files(root + "/incoming").map { "\(root)/incoming/\($0)" } == [living.path])
            withExtendedLifetime(living) {}
        }
    }

    @Test("deleting removes folders that become empty and nothing else")
    func pruning() async throws {
        try await withStore { store, root in
            for key in ["photos/d1/a", "photos/d1/b", "photos/d2/x/y/z"] as [ObjectKey] {
                try await store.put(key, ByteBuffer(string: "x"), contentType: "x/y")
            }
            #expect(try await store.delete(["photos/d1/a", "photos/d2/x/y/z"]) == [:])
            #expect(files(root + "/objects") == ["photos", "photos/d1", "photos/d1/b"])
            #expect(try await store.delete(["photos"]) == [:], "a folder is no object")
            #expect(try await store.delete(["photos/d1/b"]) == [:])
            #expect(files(root) == ["incoming", "objects"])
        }
    }

    @Test("puts and deletes in one folder do not disturb each other")
    func race() async throws {
        try await withStore { store, root in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<8 {
                    group.addTask {
                        for round in 0..<40 {
                            let key = try ObjectKey("deep/er/\(round % 3)/\(worker)")
                            try await store.put(key, ByteBuffer(string: "\(round)"), contentType: "x/y")
                            #expect(try await store.get(key) == ByteBuffer(string: "\(round)"))
                            #expect(try await store.delete([key]) == [:])
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(files(root) == ["incoming", "objects"])
        }
    }

    @Test("a folder that is pruned again and again does not keep an object from its place")
    func prunedFolder() async throws {
        try await withStore { store, root in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    while !Task.isCancelled {
                        for _ in 0..<100 { rmdir(root + "/objects/day") }
                        await Task.yield()
                    }
                }
                for round in 0..<100 {
                    let key = try ObjectKey("day/\(round)")
                    try await store.put(key, ByteBuffer(string: "x"), contentType: "x/y")
                    _ = try await store.delete([key])
                }
                group.cancelAll()
            }
        }
    }

    @Test("a reader sees an old or a new object, never a mixture")
    func atomicity() async throws {
        try await withStore { store, _ in
            let key: ObjectKey = "k"
            @Sendable func bytes(_ letter: UInt8) -> ByteBuffer {
                ByteBuffer(repeating: letter, count: 400_000)
            }
            try await store.put(key, bytes(65), contentType: "x/y")
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for round in 0..<30 {
                        try await store.put(key, bytes(UInt8(65 + round % 26)), contentType: "x/y")
                    }
                }
                group.addTask {
                    for _ in 0..<60 {
                        let read = try await store.get(key)
                        let letter = try #require(read.readableBytesView.first)
                        #expect(read == bytes(letter))
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("lists by prefix, in the order of the keys' bytes, page by page")
    func listing() async throws {
        try await withStore { store, _ in
            let keys = [
                "a-b", "a/1", "a/2/x", "a/2/y", "a/20", "a/3", "ab", "b/ü", "b/😀", "photos/1", "photosx",
            ]
            for key in keys.shuffled() {
                try await store.put(try ObjectKey(key), ByteBuffer(string: key), contentType: "x/y")
            }
            for limit in [1, 2, 3, 1_000] {
                #expect(try await allKeys(store, prefix: "", limit: limit) == keys)
            }
            #expect(try await allKeys(store, prefix: "a/2", limit: 1) == ["a/2/x", "a/2/y", "a/20"])
            #expect(try await allKeys(store, prefix: "a/", limit: 2).count == 5)
            #expect(try await allKeys(store, prefix: "photos/", limit: 2) == ["photos/1"])
            #expect(try await allKeys(store, prefix: "nothing", limit: 2) == [])
            let page = try await store.list(prefix: "a-b")
            #expect(page.objects.first?.size == 3)
            #expect(abs(page.objects.first?.lastModified.timeIntervalSinceNow ?? 99) < 5)
        }
    }

    /// Guard: a listing of files reads its folders once (`FileListings`)
    @Test("a listing reads its folders once, not once for each page")
    func listingIsLinear() async throws {
        try await withStore { store, _ in
            let keys = (100..<160).map { "photos/\($0)" }
            for key in keys {
                try await store.put(try ObjectKey(key), ByteBuffer(string: ""), contentType: "x/y")
            }
            #expect(try await allKeys(store, prefix: "photos/", limit: 1) == keys)
            // Names that are read only once do not have an object that came meanwhile.
            let first = try await store.list(prefix: "photos/", continuation: nil, limit: 1)
            try await store.put(ObjectKey("photos/1575"), ByteBuffer(string: ""), contentType: "x/y")
            var (found, place) = (first.objects.map(\.key.rawValue), first.continuation)
            while let last = place {
                let page = try await store.list(prefix: "photos/", continuation: last, limit: 1)
                found += page.objects.map(\.key.rawValue)
                place = page.continuation
            }
            #expect(found == keys)
            // A page in the middle, as in an audit that another process began, reads them anew.
            let rest = try await store.list(prefix: "photos/", continuation: "photos/157", limit: 1)
            #expect(rest.objects.map(\.key.rawValue) == ["photos/1575"] && rest.continuation == "photos/1575")
        }
    }

    /// Guard: a listing of files reads its folders once (`FileListings`)
    @Test("a listing that keeps few names at a time is the same", arguments: [1, 2, 3, 7])
    func listingWindows(maxKeys: Int) async throws {
        try await withStore { store, root in
            var keys = ["a-b", "a/1", "a/2/x", "a/2/y", "a/20", "a/3", "ab", "b/ü", "photos/1", "photosx"]
            for key in keys.shuffled() {
                try await store.put(try ObjectKey(key), ByteBuffer(string: key), contentType: "x/y")
            }
            // A link is not an object, and an empty folder holds none.
            for folder in ["a/0", "a/21", "c"] {
                try FileManager.default.createDirectory(
                    atPath: "\(root)/objects/\(folder)", withIntermediateDirectories: true)
            }
            try FileManager.default.createSymbolicLink(
                atPath: "\(root)/objects/a/15", withDestinationPath: "\(root)/objects/ab")
            let listings = FileListings(maxKeys: maxKeys)
            let tree = FileTree(root: root)
            func all(prefix: String, limit: Int) throws -> [String] {
                var (found, last): ([String], String?) = ([], nil)
                repeat {
                    let page = try listings.page(of: tree, prefix: prefix, after: last, limit: limit)
                    found += page.objects.map(\.key.rawValue)
                    last = page.continuation
                } while last != nil
                return found
            }
            for limit in [1, 2, 5, 1_000] {
                #expect(try all(prefix: "", limit: limit) == keys)
                #expect(try all(prefix: "a/2", limit: limit) == ["a/2/x", "a/2/y", "a/20"])
            }
            // An object that is deleted between two pages is not listed.
            let page = try listings.page(of: tree, prefix: "", after: nil, limit: 2)
            #expect(try await store.delete(["a/2/x"]) == [:])
            keys.removeAll { $0 == "a/2/x" }
            let next = try listings.page(of: tree, prefix: "", after: page.continuation, limit: 1_000)
            #expect(page.objects.map(\.key.rawValue) + next.objects.map(\.key.rawValue) == keys)
        }
    }

    @Test("an empty store lists nothing")
    func emptyListing() async throws {
        try await withStore { store, _ in
            let page = try await store.list(prefix: "photos/")
            #expect(page.objects == [])
        }
    }

    @Test("an open object is read in parts, also after it was deleted")
    func reader() async throws {
        try await withStore { store, _ in
            let key: ObjectKey = "photos/x.jpg"
            try await store.put(key, ByteBuffer(string: "0123456789"), contentType: "image/jpeg")
            let file = try #require(try await store.open(key))
            #expect((file.size, file.contentType) == (10, "image/jpeg"))
            #expect(file.etag.hasPrefix("\"") && file.etag.hasSuffix("\""))
            #expect(
                file.lastModified.timeIntervalSince1970.rounded() == file.lastModified.timeIntervalSince1970)
            _ = try await store.delete([key])
            var read = ByteBuffer()
            for try await var chunk in file.chunks(in: 3..<7) { read.writeBuffer(&chunk) }
            #expect(read == ByteBuffer(string: "3456"))
            #expect(try await store.open(key) == nil)
            #expect(try await store.open("photos") == nil)
        }
    }

    @Test("a signed URL of the store is honoured by it")
    func signedURL() async throws {
        try await withStore { store, _ in
            let now = Date(timeIntervalSince1970: 5_000)
            let url = try store.presignedGet(
                "photos/x.jpg", signedAt: now, expiresAt: now.addingTimeInterval(60))
            let target = String(url.dropFirst("http://localhost".count))
            #expect(store.verify(target: target, now: now) == .success("photos/x.jpg"))
            #expect(store.verify(target: target, now: now.addingTimeInterval(60)) == .failure(.expired))
        }
    }

    @Test("an error of the disk is reported without a path")
    func failures() async throws {
        try await withStore { store, root in
            try await store.put("a", ByteBuffer(string: "x"), contentType: "x/y")
            for key in ["a/b", "a/b/c"] as [ObjectKey] {
                do {
                    try await store.put(key, ByteBuffer(string: "x"), contentType: "x/y")
                    Issue.record("an object under an object")
                } catch {
                    guard case .rejected(let text, _) = error as? ObjectStoreError else { throw error }
                    #expect(!text.contains(root))
                }
                #expect(try await store.head(key) == nil)
                #expect(try await store.delete([key]) == [:])
            }
            #expect(files(root + "/incoming") == [])
            let broken = FilesystemObjectStore(
                root: root + "/objects/a", publicURL: "http://localhost", secret: [1] as [UInt8],
                logger: Logger(label: "test"))
            await #expect(throws: ObjectStoreError.self) { try await broken.check() }
        }
    }
}

/// All keys, page by page.
func allKeys(_ store: some ObjectStore, prefix: String, limit: Int) async throws -> [String] {
    var keys: [String] = []
    var continuation: String?
    repeat {
        let page = try await store.list(prefix: prefix, continuation: continuation, limit: limit)
        #expect(page.objects.count <= limit)
        keys += page.objects.map(\.key.rawValue)
        continuation = page.continuation
    } while continuation != nil
    return keys
}
