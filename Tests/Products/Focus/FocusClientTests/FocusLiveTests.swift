import ClientFixtures
@testable import FocusClient
import FocusAPI
import DaylyAPI
import DaylyClient
import DaylyTesting
import Foundation
import Testing

/// Focus in the SDK against the real service.
@Suite("Focus: the SDK against the service", .serialized)
struct FocusLiveTests {
    @Test(
        "a phone joins, records offline, sends later, and sees its streak, board and hints")
    func story() async throws {
        try await LiveService.run { service in
            let ada = try service.client()
            let focus = FocusRepository(ada)
            try await service.signIn(ada, as: "Ada", "+14155550101")
            let group = try await ada.groups.create(name: "Breakfast", inviting: ["+14155550102"]).group.id
            let error = await #expect(throws: DaylyError.self) { try await focus.now() }
            #expect(error?.code == .focusNotJoined)
            let profile = try await focus.join(FocusProfileSettings(nickname: "ada_l"))
            #expect(profile.nickname == "ada_l" && profile.boards && !profile.leagues)
            let phone = try await focus.register(
                FocusDeviceReport(platform: "android", setup: "verified"))
            #expect(phone.number == 1 && phone.status == "verified")

            let seen = Locked<[DaylyEvent]>([])
            let loop = Task { for try await event in ada.events { seen.withLock { $0.append(event) } } }
            try await eventually("the stream") { seen.withLock { !$0.isEmpty } }
            service.proxy.set { $0.cutBefore = "/v1/focus/sync" }
            let now = Date()
            try await focus.queue.record(.lock(.automatic), at: now.addingTimeInterval(-1_800))
            try await focus.queue.record(.unlock(.automatic), at: now)
            await focus.queue.settle()
            let failed = await focus.queue.statuses.first { $0.state == .waiting }
            #expect(failed?.pending == 2)
            service.proxy.set { $0.cutBefore = nil }
            await focus.queue.resume()
            await focus.queue.settle()
            let sent = await focus.queue.statuses.first { _ in true }
            #expect(sent?.pending == 0 && sent?.state == .idle)

            let present = try #require(try await focus.now().value)
            #expect(present.day.streakCount == 1 && present.streak == nil)
            #expect(present.day.points == FocusStreakFigures.points(ofSeconds: present.day.longestStreak))
            #expect(abs(present.day.longestStreak - 1_800) <= 1)
            let board = try #require(try await focus.board(of: group).value)
            #expect(board.entries.map(\.isMe) == [true] && board.entries.first?.points == present.week.points)
            try await eventually("a hint") {
                seen.withLock { $0.contains { if case .now = $0.focus { true } else { false } } }
            }
            loop.cancel()
        }
    }

    @Test("sessions, intentions and limits work, and leaving forgets")
    func calls() async throws {
        try await LiveService.run { service in
            let ada = try service.client()
            let focus = FocusRepository(ada)
            try await service.signIn(ada, as: "Ada", "+14155550101")
            _ = try await focus.join(FocusProfileSettings())
            _ = try await focus.register(FocusDeviceReport(platform: "ios"))
            let key = UUID()
            let new = FocusNewSession(goalMinutes: 25, mode: "block_list")
            let session = try await focus.start(new, key: key)
            #expect(try await focus.start(new, key: key).id == session.id)
            #expect(try await focus.end(session.id).state == "canceled")
            let intention = try await focus.add(
                FocusIntentionSettings(label: "Videos", opens: 3, minutes: 5))
            try await focus.queue.record(.open(intention: intention.id))
            try await focus.queue.record(.open(intention: .numbered(9)))
            var answers = focus.queue.answers.makeAsyncIterator()
            await focus.queue.resume()
            let answer = try #require(await answers.next())
            await focus.queue.settle()
            #expect(answer.now.xp == 0)
            #expect(try await focus.intentions().value?.map(\.used) == [1])
            #expect(try await focus.weeks().cursor == nil)
            #expect(try await focus.temptations().value?.enabled == true)
            _ = try await focus.setTemptations(FocusTemptationSettings(enabled: false))
            #expect(try await focus.finishTutorial().xp == 5)
            #expect(try await focus.stats().value?.days.count == 30)
            try await focus.leave()
            #expect(await focus.queue.statuses.first { _ in true }?.pending == 0)
        }
    }
}
