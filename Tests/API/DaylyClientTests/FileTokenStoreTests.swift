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

    /// As the first release wrote it. It does not change.
    private static let released = """
        {"refreshToken":"refresh-1","user":{"created_at":811692800,"discoverable":true,"first_name":"Ada",\
        "id":"00000000-0000-7000-8000-000000000001","phone_number":"+14155550101","quiet_from":null,\
        "quiet_to":null,"time_zone":"Europe/Berlin"}}
        """

    @Test("the record of each release is read")
    func released() throws {
        try withFile { store, file in
            try store.write(.numbered(2))
            try Data(Self.released.utf8).write(to: file)
            #expect(try store.read() == .numbered(1))
        }
    }

    /// Guard: the record says its version, and one of a later version is an error (`StoredSession.init`)
    @Test("a record tells its version, and one of a later version is an error")
    func version() throws {
        try withFile { store, file in
            try store.write(.numbered(1))
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.contains("\"version\":1"))
            let later = text.replacingOccurrences(of: "\"version\":1", with: "\"version\":2")
            try Data(later.utf8).write(to: file)
            #expect(throws: DecodingError.self) { try store.read() }
        }
    }

    /// Guard: a record that does not decode is an error, never "nobody" (`FileTokenStore.read`)
    @Test("a record that does not decode and a file that cannot be opened are errors, never nobody")
    func foreignFiles() throws {
        try withFile { store, file in
            try store.write(.numbered(1))
            try Data("{}".utf8).write(to: file)
            #expect(throws: DecodingError.self) { try store.read() }
            try FileManager.default.removeItem(at: file)
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
            #expect(throws: (any Error).self) { try store.read() }
        }
    }
}
