import DaylyAPI
import DaylyTesting
import Foundation
import Testing

@testable import DaylyClient

@Suite("The queue on the disk")
struct UploadFolderTests {
    private let temporary: TemporaryFolder
    private let root: URL
    private let picture = Data("a picture".utf8)

    init() throws {
        temporary = try TemporaryFolder()
        root = temporary.url.appendingPathComponent("uploads")
    }

    private func open() throws -> UploadFolder {
        let folder = UploadFolder(root)
        try folder.open()
        return folder
    }

    private func items(_ count: Int) -> [UploadItem] {
        let capture = UUID()
        return (0..<count).map { _ in
            UploadItem(
                id: UUID(), groupID: ResourceID(UUID()), userID: ResourceID(UUID()), captureID: capture,
                queuedAt: Date())
        }
    }

    /// Everything under the root but the locks.
    private var remains: [String] {
        let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return names.filter { !$0.hasSuffix(".lock") && !["incoming", "queued", "removed"].contains($0) }
    }

    @Test("items and pictures are there after the process has ended, oldest first")
    func durable() throws {
        let first = items(2)
        try open().add(first, picture: picture)
        let second = items(1)
        try open().add(second, picture: picture)
        let folder = try open()
        let found = try folder.items()
        #expect(Set(found.prefix(2).map(\.id)) == Set(first.map(\.id)))
        #expect(found.last?.id == second[0].id)
        for item in found {
            #expect(try Data(contentsOf: #require(folder.picture(of: item))) == picture)
        }
    }

    @Test("each item has the picture until its own end, and the last leaves nothing")
    func removal() throws {
        let folder = try open()
        let items = items(2)
        try folder.add(items, picture: picture)
        try folder.remove(items[0])
        #expect(folder.picture(of: items[1]) != nil)
        try folder.dropPicture(of: items[1])
        #expect(folder.picture(of: items[1]) == nil)
        #expect(try folder.items().map(\.id) == [items[1].id])
        try folder.remove(items[1])
        #expect(remains.isEmpty)
        try folder.remove(items[1])
    }

    /// Guard: an item leaves the queue by a rename, and the next process deletes the rest
    /// (`UploadFolder.remove`, `.open`)
    @Test("what a process did not finish is deleted by the next one")
    func unfinished() throws {
        _ = try open()
        for half in ["incoming/capture/item", "removed/item", "queued/capture"] {
            let folder = root.appendingPathComponent(half)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            if half.hasSuffix("item") {
                try picture.write(to: folder.appendingPathComponent("photo.jpg"))
            }
        }
        #expect(try open().items().isEmpty)
        #expect(remains.isEmpty)
    }

    /// Guard: a process that opens the queue spares what another is adding (`FileLock`)
    @Test("a process that opens the queue does not delete what another is adding")
    func adding() throws {
        let other = Locked(false)
        let folder = UploadFolder(root) { step in
            guard step == "wrote a picture" else { return }
            other.withLock { $0 = (try? UploadFolder(root).open()) != nil }
        }
        try folder.open()
        let items = items(1)
        try folder.add(items, picture: picture)
        #expect(other.withLock { $0 })
        #expect(try folder.items().map(\.id) == items.map(\.id))
    }

    /// Guard: a picture for several groups is queued by one rename; a record is replaced by a rename
    /// (`UploadFolder.add`, `.store`)
    @Test("a record that was not renamed into its place does not count")
    func halfWrittenRecord() throws {
        let seen = Locked<[Int]>([])
        let root = root
        let folder = UploadFolder(root) { step in
            guard step == "wrote a new record" else { return }
            seen.withLock { $0 = (try? UploadFolder(root).items().map(\.attempts)) ?? [] }
        }
        try folder.open()
        let items = items(1)
        try folder.add(items, picture: picture)
        let place = root.appendingPathComponent(
            "queued/\(items[0].captureID.uuidString)/\(items[0].id.uuidString)/item.json.new")
        try Data("{\"id\":".utf8).write(to: place)
        #expect(try open().items() == items)
        var changed = items[0]
        changed.attempts = 3
        try folder.store(changed)
        #expect(seen.withLock { $0 } == [0], "the old record holds until the rename")
        #expect(try open().items().map(\.attempts) == [3])
    }

    @Test("a record of a removed item cannot be stored")
    func storedTooLate() throws {
        let folder = try open()
        let items = items(1)
        try folder.add(items, picture: picture)
        try folder.remove(items[0])
        #expect(throws: (any Error).self) { try folder.store(items[0]) }
        #expect(remains.isEmpty)
    }

    /// Guard: one process sends (`UploadFolder.lockForSending`)
    @Test("one process at a time sends")
    func lock() throws {
        let first = try open().lockForSending()
        #expect(first != nil)
        #expect(try open().lockForSending() == nil)
        withExtendedLifetime(first) {}
    }

    @Test("only the owner may read the files")
    func permissions() throws {
        let folder = try open()
        let items = items(1)
        try folder.add(items, picture: picture)
        let file = try #require(folder.picture(of: items[0]))
        for (path, mode) in [(file.path, 0o600), (root.path, 0o700)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode)
        }
    }
}
