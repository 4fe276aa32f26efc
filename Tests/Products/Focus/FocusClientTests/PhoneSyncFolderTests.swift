import DaylyClient
import ClientFixtures
@testable import FocusClient
@testable import PhoneClient
import DaylyAPI
import DaylyTesting
import Foundation
import Testing

@Suite("Phones: events on the disk")
struct PhoneSyncFolderTests {
    private let temporary: TemporaryFolder
    private let root: URL
    private let ada = ResourceID.numbered(1)
    private let at = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        temporary = try TemporaryFolder()
        root = temporary.url.appendingPathComponent("focus")
    }

    private func open() throws -> PhoneSyncFolder<FocusPhoneEvent> {
        let folder = PhoneSyncFolder<FocusPhoneEvent>(root)
        try folder.open()
        return folder
    }

    private func record(_ folder: PhoneSyncFolder<FocusPhoneEvent>, by user: ResourceID? = nil) throws -> Int
    {
        try folder.add(.unlock(.shortcut), at: at, uptime: nil, of: user ?? ada)
    }

    @Test("events have rising numbers and are there after the process has ended, in their order")
    func durable() throws {
        var numbers: [Int] = []
        for _ in 1...12 { numbers.append(try record(open())) }
        #expect(numbers == Array(1...12))
        let events = try open().oldest(500)
        #expect(events.map(\.seq) == numbers)
        #expect(events.allSatisfy { $0.kind == "unlock" && $0.source == "shortcut" && $0.at == at })
        #expect(try open().oldest(5).map(\.seq) == [1, 2, 3, 4, 5])
    }

    /// Guard: an event's number is given once, and the acknowledged number is kept before its events are
    /// deleted (`PhoneSyncFolder.add`, `.acknowledge`)
    @Test("a number is never given again, also when all events are acknowledged and gone")
    func numbers() throws {
        let folder = try open()
        for _ in 1...3 { _ = try record(folder) }
        try folder.acknowledge(2)
        #expect(try folder.oldest(500).map(\.seq) == [3])
        try folder.acknowledge(3)
        #expect(try folder.count() == 0)
        #expect(try record(open()) == 4)
    }

    @Test("an older acknowledgement takes nothing back")
    func oldAcknowledgement() throws {
        let folder = try open()
        for _ in 1...3 { _ = try record(folder) }
        try folder.acknowledge(3)
        try folder.acknowledge(1)
        #expect(try record(folder) == 4)
    }

    @Test("the next process deletes what an ended one has begun to write, and what was acknowledged")
    func remains() throws {
        let folder = try open()
        _ = try record(folder)
        let event = root.appendingPathComponent("events/0000000000000001.json")
        let kept = try Data(contentsOf: event)
        try folder.acknowledge(1)
        try kept.write(to: event)
        try kept.write(to: root.appendingPathComponent("incoming/event.json"))
        #expect(try open().count() == 0)
        #expect(try DurableFiles.contents(of: root.appendingPathComponent("incoming")).isEmpty)
    }

    @Test("the phone keeps its id; another user begins as another phone without these events")
    func users() throws {
        let folder = try open()
        _ = try record(folder)
        let id = try folder.phone(of: ada).deviceID
        #expect(try open().phone(of: ada).deviceID == id)
        #expect(try record(folder, by: .numbered(2)) == 1)
        #expect(try folder.phone()?.deviceID != id)
        #expect(try folder.count() == 1)
    }

    @Test("an event that cannot be read is an error, so that a later acknowledgement does not delete it")
    func unreadable() throws {
        let folder = try open()
        _ = try record(folder)
        let event = root.appendingPathComponent("events/0000000000000001.json")
        try FileManager.default.removeItem(at: event)
        try FileManager.default.createDirectory(at: event, withIntermediateDirectories: false)
        #expect(throws: (any Error).self) { try folder.oldest(500) }
    }

    /// Guard: an event's number is given once, and the acknowledged number is kept before its events are
    /// deleted (`PhoneSyncFolder.add`, `.acknowledge`)
    @Test("processes that record at the same time give no number twice")
    func together() async throws {
        _ = try open()
        let root = root
        let numbers = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    // Each has a lock of its own, as each process has.
                    let folder = PhoneSyncFolder<FocusPhoneEvent>(root)
                    return try (0..<10).map { _ in
                        try folder.add(
                            .lock(.manual), at: Date(), uptime: nil, of: .numbered(1))
                    }
                }
            }
            return try await group.reduce(into: [Int]()) { $0 += $1 }
        }
        #expect(numbers.sorted() == Array(1...40))
    }

    @Test("nothing is left after clearing")
    func clear() throws {
        let folder = try open()
        _ = try record(folder)
        try folder.clear()
        #expect(try folder.phone() == nil && folder.count() == 0)
    }
}
