import ClientFixtures
import DaylyAPI
import DaylyClient
import DaylyClientTesting
import Foundation
import Testing

@Suite("A session in a file")
struct FileTokenStoreTests {
    private func withFile(_ body: (FileTokenStore, URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("dayly-tokens-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("own/session.json")
        try body(FileTokenStore(file: file), file)
    }

    @Test("it is read as it was written, by another process too")
    func roundTrip() throws {
        try withFile { store, file in
            #expect(try store.read() == nil)
            try store.write(.numbered(1))
            try store.write(.numbered(2))
            #expect(try FileTokenStore(file: file).read() == .numbered(2))
            try store.remove()
            try store.remove()
            #expect(try store.read() == nil)
        }
    }

    /// Guard: a session's file is replaced as a whole and is its owner's alone (`FileTokenStore.write`)
    @Test("nobody else may read it, and a write leaves nothing beside it")
    func permissions() throws {
        try withFile { store, file in
            try store.write(.numbered(1))
            func permissions(_ path: String) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            }
            #expect(try permissions(file.path) == 0o600)
            let folder = file.deletingLastPathComponent().path
            #expect(try permissions(folder) == 0o700)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["session.json"])
        }
    }

    /// Guard: a session's file is replaced as a whole and is its owner's alone (`FileTokenStore.write`)
    @Test("a reader never meets half a session while a writer replaces it")
    func atomicity() throws {
        try withFile { store, file in
            try store.write(.numbered(1))
            let reader = try FileHandle(forReadingFrom: file)
            try store.write(.numbered(2))
            let data = try #require(try reader.readToEnd())
            #expect(
                try JSONDecoder().decode(StoredSession.self, from: data) == .numbered(1), "as it was opened")
        }
    }

    @Test("a file of something else is not a session, and a file that cannot be opened is an error")
    func foreignFiles() throws {
        try withFile { store, file in
            try store.write(.numbered(1))
            try Data("{}".utf8).write(to: file)
            #expect(try store.read() == nil)
            try FileManager.default.removeItem(at: file)
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
            #expect(throws: (any Error).self) { try store.read() }
        }
    }
}
