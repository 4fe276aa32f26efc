import ClientFixtures
@testable import FocusClient
import FocusAPI
import DaylyAPI
import DaylyClient
import DaylyClientTesting
import Foundation
import Testing

/// Calls every method of Focus once.
struct EveryFocusCall {
    let focus: FocusRepository
    private let id = ResourceID.numbered(1)

    func make() async throws {
        _ = try await focus.join(FocusProfileSettings())
        _ = try await focus.profile()
        try await phones()
        try await results()
        try await people()
        try await promises()
        try await focus.leave()
    }

    private func phones() async throws {
        _ = try await focus.register(FocusDeviceReport(platform: "ios"))
        _ = try await focus.devices()
        _ = try await focus.device(id)
        _ = try await focus.verify()
        try await focus.queue.record(.unlock(.verification))
        await focus.queue.settle()
        try await focus.remove(device: id)
        _ = try await focus.temptations()
        _ = try await focus.setTemptations(FocusTemptationSettings())
    }

    private func results() async throws {
        _ = try await focus.now()
        _ = try await focus.weeks()
        _ = try await focus.week("2026-03-02")
        _ = try await focus.day("2026-03-02")
        _ = try await focus.rate("2026-03-02", .down)
        _ = try await focus.board(of: id, week: "2026-03-02")
        _ = try await focus.league()
        _ = try await focus.quip(minutes: 30)
    }

    private func people() async throws {
        _ = try await focus.following()
        _ = try await focus.followers(after: "cursor")
        try await focus.follow(id)
        _ = try await focus.follow(nickname: "ada")
        try await focus.unfollow(id)
        try await focus.remove(follower: id)
        _ = try await focus.person("ada")
        _ = try await focus.feed()
        _ = try await focus.partners()
        try await focus.ask(partner: id)
        try await focus.accept(partner: id)
        try await focus.end(partner: id)
    }

    private func promises() async throws {
        _ = try await focus.sessions()
        _ = try await focus.start(FocusNewSession(goalMinutes: 25, mode: "allow_list"))
        _ = try await focus.session(id)
        _ = try await focus.end(id)
        _ = try await focus.stats()
        let schedule = FocusScheduleSettings(
            name: "Night", emoji: nil, from: "22:00", to: "06:00", weekdays: [1], mode: "allow_list",
            beastMode: nil)
        _ = try await focus.schedules()
        _ = try await focus.add(schedule)
        _ = try await focus.change(schedule: id, to: schedule)
        try await focus.remove(schedule: id)
        let intention = FocusIntentionSettings(label: "Videos", opens: 3, minutes: 5)
        _ = try await focus.intentions()
        _ = try await focus.add(intention)
        _ = try await focus.change(intention: id, to: intention)
        try await focus.remove(intention: id)
        _ = try await focus.freeze()
        _ = try await focus.finishTutorial()
        _ = try await focus.claim(signedTransaction: "a.b.c")
    }
}

/// A good answer to each call of Focus that has one.
enum FocusScriptedAnswers {
    private static let at = Date(timeIntervalSince1970: 1_800_000_000)
    private static let id = ResourceID.numbered(1)

    static func answer(to request: TransportRequest) -> StubAnswer {
        guard let operation = Operation.allFocus.called(by: request) else {
            return ScriptedAnswers.answer(to: request)
        }
        return answer(to: operation)
    }

    private static func answer(to operation: DaylyClient.Operation) -> StubAnswer {
        switch operation {
        case .getFocusProfile, .putFocusProfile:
            .json(
                FocusProfile(
                    consent: "1", nickname: nil, boards: true, leagues: false, feed: false, morning: false,
                    goalMinutes: nil, goalFromTomorrow: nil, joinedAt: at, appAccountToken: id))
        case .listFocusDevices: .json(FocusDeviceList(devices: [device]))
        case .getFocusDevice, .putFocusDevice: .json(device)
        case .verifyFocusDevice: .json(FocusVerificationWindow(windowStartsAt: at, windowEndsAt: at))
        case .getFocusNow: .json(FocusSyncWorld.now)
        case .syncFocus:
            .json(
                FocusSyncAnswer(
                    acknowledged: 1, rejected: [], others: [], cursor: "c", hasMore: false, serverTime: at,
                    now: FocusSyncWorld.now))
        case .getFocusTemptations, .putFocusTemptations:
            .json(
                FocusTemptations(
                    enabled: true, intensity: "low", quietFrom: nil, quietTo: nil, sent: 0, resisted: 0))
        default: result(operation)
        }
    }

    private static let device = FocusDevice(
        id: id, number: 1, platform: "ios", setup: "not_started", reason: nil, status: "pending", issue: nil,
        issueHours: nil, verifiedAt: nil, lastUnlockAt: nil, syncedAt: nil)

    private static func result(_ operation: DaylyClient.Operation?) -> StubAnswer {
        let week = FocusWeek(
            week: "2026-03-02", points: 0, streakCount: 0, longestStreak: 0, estimated: false)
        switch operation {
        case .listFocusWeeks: return .json(FocusWeekPage(weeks: [week], cursor: nil))
        case .getFocusWeek: return .json(week)
        case .getFocusDay, .rateFocusDay:
            return .json(
                FocusDay(
                    day: "2026-03-02", points: 0, streakCount: 0, longestStreak: 0, estimated: false,
                    streaks: nil, minutes: nil, score: nil, usagePoints: nil, closed: false, rating: nil))
        case .getFocusBoard:
            return .json(FocusBoard(week: "2026-03-02", closed: false, closesAt: at, entries: []))
        case .getFocusLeague:
            return .json(
                FocusLeague(
                    week: "2026-03-02", tier: "gold", closed: false, closesAt: at, rises: 0, falls: 0,
                    entries: []))
        case .getFocusQuip:
            return .json(FocusQuip(day: "2026-03-02", minutes: 30, number: 0, text: "Half an hour."))
        default: return person(operation)
        }
    }

    private static func person(_ operation: DaylyClient.Operation?) -> StubAnswer {
        let person = FocusPerson(userID: id, nickname: "ada", firstName: nil, since: at)
        switch operation {
        case .listFocusFollowing, .listFocusFollowers:
            return .json(FocusPersonPage(people: [person], cursor: nil))
        case .followFocusNickname: return .json(person)
        case .getFocusNickname:
            return .json(
                FocusNickname(
                    userID: id, nickname: "ada", tier: "gold", week: "2026-03-02", points: 0,
                    streakCount: 0, isFollowed: true))
        case .getFocusFeed: return .json(FocusFeed(items: [], cursor: nil))
        case .listFocusPartners: return .json(FocusPartnerList(partners: [], partnerOf: []))
        default: return promise(operation)
        }
    }

    private static func promise(_ operation: DaylyClient.Operation?) -> StubAnswer {
        let session = FocusSession(
            id: id, name: nil, emoji: nil, goalMinutes: 25, mode: "allow_list", beastMode: false,
            scheduleID: nil, date: nil, state: "running", startedAt: at, goalEndsAt: at, endedAt: nil,
            elapsedSeconds: nil, extraSeconds: nil, xp: nil, coins: nil)
        let schedule = FocusSchedule(
            id: id, name: nil, emoji: nil, from: "22:00", to: "06:00", weekdays: [1], mode: "allow_list",
            beastMode: false, nextAt: at)
        let intention = FocusIntention(
            id: id, label: "Videos", opens: 3, minutes: 5, opensFromTomorrow: nil, used: 0, streak: 0,
            best: 0, frozen: false)
        return switch operation {
        case .listFocusSessions: .json(FocusSessionList(sessions: [session], cursor: nil))
        case .startFocusSession, .getFocusSession, .endFocusSession: .json(session)
        case .getFocusStats: .json(FocusStats(days: [], record: nil))
        case .listFocusSchedules: .json(FocusScheduleList(schedules: [schedule]))
        case .createFocusSchedule, .replaceFocusSchedule: .json(schedule)
        case .listFocusIntentions: .json(FocusIntentionList(intentions: [intention]))
        case .createFocusIntention, .replaceFocusIntention: .json(intention)
        case .freezeFocusDay: .json(FocusFrozenDay(day: "2026-03-02"))
        case .finishFocusTutorial: .json(FocusEarnings(xp: 5, coins: 5))
        case .redeemFocusPro: .json(FocusPro(proUntil: at))
        default: .done
        }
    }
}
