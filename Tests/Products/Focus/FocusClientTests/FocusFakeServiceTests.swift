import FocusClientTesting
@testable import FocusClient
import ClientFixtures
import FocusAPI
import DaylyAPI
import DaylyClient
import DaylyClientTesting
import Foundation
import Testing

@Suite("Focus: the service in memory")
struct FocusFakeServiceTests {
    private let noon = Date(timeIntervalSince1970: 1_772_452_800)

    @Test("a preview shows a running streak, a day, a week and a board")
    func preview() async throws {
        let dayly = FakeService(now: noon).withFocus().client()
        let focus = FocusRepository(dayly)
        let now = try #require(try await focus.now().value)
        #expect(now.status == "verified" && now.streak?.since == noon.addingTimeInterval(-40 * 60))
        #expect(now.day.day == "2026-03-02" && now.day.points == 88.82 && now.day.streakCount == 2)
        #expect(try await focus.day("2026-03-02").value?.streaks?.wrappedValue?.count == 2)
        let week = try #require(try await focus.weeks().weeks.first)
        #expect(week.week == "2026-03-02" && week.points == now.week.points)
        #expect(try await focus.week("2026-03-02").value?.days?.count == 7)
        let group = try #require(try await dayly.groups.list().first)
        let board = try #require(try await focus.board(of: group.id).value)
        #expect(board.entries.map(\.rank) == [1, 2, 3] && board.entries[1].isMe)
        #expect(try await focus.rate("2026-03-02", .up).rating == "up")
    }

    @Test("an app joins, registers its phone and sends a streak")
    func story() async throws {
        let dayly = FakeService(now: noon).withFocus(hasJoined: false).client()
        let focus = FocusRepository(dayly)
        let error = await #expect(throws: DaylyError.self) { try await focus.now() }
        #expect(error?.code == .focusNotJoined)
        _ = try await focus.join(FocusProfileSettings(nickname: "ada"))
        let phone = try await focus.register(FocusDeviceReport(platform: "ios"))
        #expect(phone.number == 1 && phone.status == "pending")
        _ = try await focus.verify()
        try await focus.queue.record(.lock(.manual), at: noon.addingTimeInterval(-3_600))
        try await focus.queue.record(.unlock(.shortcut), at: noon)
        await focus.queue.settle()
        let now = try #require(try await focus.now().value)
        #expect(now.status == "verified" && now.day.points == 40.94 && now.streak == nil)
        #expect(try await focus.devices().value?.map(\.setup) == ["verified"])
        try await focus.leave()
        await #expect(throws: DaylyError.self) { try await focus.now() }
    }

    @Test("a session pays by its goal")
    func sessions() async throws {
        let dayly = FakeService(now: noon).withFocus().client()
        let focus = FocusRepository(dayly)
        let session = try await focus.start(FocusNewSession(goalMinutes: 25, mode: "block_list"))
        let again = await #expect(throws: DaylyError.self) {
            try await focus.start(FocusNewSession(goalMinutes: 5, mode: "block_list"))
        }
        #expect(again?.code == .sessionActive)
        let end = FocusSessionEnd(endedAt: noon.addingTimeInterval(1_500), clientTime: noon)
        let ended = try await focus.end(session.id, end)
        #expect(ended.state == "completed" && ended.xp == 5 && ended.extraSeconds == 0)
        #expect(try await focus.sessions().sessions.count == 1)
        #expect(try await focus.now().value?.xp == 5)
    }
}
