import FocusClient
import DaylyClientTesting
import FocusAPI
import DaylyAPI
import DaylyClient
import Foundation

extension FakeFocus {
    /// Days, weeks, boards, and lists that are empty here.
    mutating func answerResults(
        _ operation: DaylyClient.Operation?, _ request: TransportRequest
    ) -> StubAnswer {
        let name = request.url.lastPathComponent
        switch operation {
        case .listFocusWeeks:
            let weeks = Set(self.streaks.map { FakeDay.monday(of: $0.endedAt) }).sorted(by: >)
            return .json(FocusWeekPage(weeks: weeks.map(self.week), cursor: nil))
        case .getFocusWeek:
            return FakeDay.date(name).map { FakeDay.monday(of: $0) } == name
                ? .json(self.week(name)) : .problem(404, .notFound)
        case .getFocusDay: return .json(self.day(name))
        case .rateFocusDay: return rate(request)
        case .getFocusBoard: return board(request)
        case .listFocusFollowing, .listFocusFollowers: return .json(FocusPersonPage(people: [], cursor: nil))
        case .getFocusFeed: return .json(FocusFeed(items: [], cursor: nil))
        case .listFocusSchedules: return .json(FocusScheduleList(schedules: []))
        case .listFocusIntentions: return .json(FocusIntentionList(intentions: []))
        case .listFocusPartners: return .json(FocusPartnerList(partners: [], partnerOf: []))
        case .getFocusTemptations, .putFocusTemptations:
            let isOn = body(request, FocusTemptationSettings.self)?.enabled ?? true
            return .json(
                FocusTemptations(
                    enabled: isOn, intensity: "medium", quietFrom: "22:00", quietTo: "07:00", sent: 0,
                    resisted: 0))
        default: return .problem(404, .notFound)
        }
    }

    private mutating func rate(_ request: TransportRequest) -> StubAnswer {
        let day = request.url.deletingLastPathComponent().lastPathComponent
        guard self.minutes[day] != nil, let rating = body(request, FocusRating.self)?.rating else {
            return .problem(404, .notFound)
        }
        self.ratings[day] = rating
        return .json(self.day(day))
    }

    /// The user among two members who are always the same.
    private func board(_ request: TransportRequest) -> StubAnswer {
        guard scene.groups.contains(where: { request.url.path.contains($0.id.description) }) else {
            return .problem(404, .notFound)
        }
        let mine = self.week(FakeDay.monday(of: now))
        let me = FocusBoardEntry(
            rank: 0, userID: scene.user.id, firstName: scene.user.firstName, points: mine.points,
            streakCount: mine.streakCount, longestStreak: mine.longestStreak, estimated: false,
            trackingStatus: focusStatus, syncedAt: nil, isMe: true)
        let others = [("Bob", 240.12, 9), ("Cyd", 40.94, 1)].map { name, points, count in
            FocusBoardEntry(
                rank: 0, userID: ResourceID(UUID()), firstName: name, points: points, streakCount: count,
                longestStreak: 3_600, estimated: false, trackingStatus: "verified", syncedAt: nil, isMe: false
            )
        }
        var entries = (others + [me]).sorted { $0.points > $1.points }
        for index in entries.indices { entries[index].rank = index + 1 }
        let monday = FakeDay.date(mine.week) ?? now
        return .json(
            FocusBoard(
                week: mine.week, closed: false, closesAt: monday.addingTimeInterval(7 * 86_400 + 17 * 3600),
                entries: entries))
    }

    // MARK: Sessions

    mutating func answerSessions(
        _ operation: DaylyClient.Operation?, _ request: TransportRequest
    ) -> StubAnswer {
        switch operation {
        case .listFocusSessions:
            let shown = self.sessions.filter { $0.state != "canceled" }
            return .json(FocusSessionList(sessions: shown.reversed(), cursor: nil))
        case .startFocusSession: return start(body(request, FocusNewSession.self) ?? FocusNewSession())
        default:
            let index = self.sessions.firstIndex { request.url.path.contains($0.id.description) }
            guard let index else { return .problem(404, .notFound) }
            guard operation == .endFocusSession else { return .json(self.sessions[index]) }
            return end(index, at: body(request, FocusSessionEnd.self)?.endedAt ?? now)
        }
    }

    private mutating func start(_ new: FocusNewSession) -> StubAnswer {
        guard !self.sessions.contains(where: { $0.state == "running" }) else {
            return .problem(409, .sessionActive)
        }
        let (began, goal) = (new.startedAt ?? now, new.goalMinutes ?? 25)
        self.sessions.append(
            FocusSession(
                id: ResourceID(UUID()), name: new.name, emoji: new.emoji, goalMinutes: goal,
                mode: new.mode ?? "allow_list", beastMode: new.beastMode ?? false,
                scheduleID: new.scheduleID, date: new.date, state: "running", startedAt: began,
                goalEndsAt: began.addingTimeInterval(Double(goal) * 60), endedAt: nil, elapsedSeconds: nil,
                extraSeconds: nil, xp: nil, coins: nil))
        let last = self.sessions.count - 1
        if let ended = new.endedAt { _ = end(last, at: ended) }
        return .json(self.sessions[last], status: 201)
    }

    private mutating func end(_ index: Int, at end: Date) -> StubAnswer {
        var session = self.sessions[index]
        guard session.state == "running" else { return .json(session) }
        let elapsed = Int(end.timeIntervalSince(session.startedAt))
        let isReached = elapsed >= session.goalMinutes * 60
        guard isReached || elapsed <= 10 || !session.beastMode else { return .problem(409, .beastMode) }
        session.state = elapsed <= 10 ? "canceled" : isReached ? "completed" : "gave_up"
        (session.endedAt, session.elapsedSeconds) = (end, elapsed)
        session.extraSeconds = isReached ? elapsed - session.goalMinutes * 60 : 0
        let xp = isReached ? Self.xp(ofMinutes: session.goalMinutes) : 0
        (session.xp, session.coins) = (xp, xp)
        self.xp += xp
        self.sessions[index] = session
        return .json(session)
    }

    private static func xp(ofMinutes minutes: Int) -> Int {
        let steps = [(15, 3), (30, 5), (45, 8), (60, 10), (90, 15)]
        return steps.first { minutes <= $0.0 }?.1 ?? 25
    }

    var focusStatus: String {
        self.devices.contains { $0.status == "verified" } ? "verified" : "pending"
    }
}
