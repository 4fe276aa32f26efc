import FocusClient
import DaylyClientTesting
import FocusAPI
import DaylyAPI
import DaylyClient
import Foundation

extension FakeFocus {
    var now: Date { scene.now }

    /// The user with a verified phone, a nickname, and the streaks of a morning.
    mutating func join() {
        self.profile = made(FocusProfileSettings(nickname: "ada", leagues: true, goalMinutes: 180))
        let morning = now.addingTimeInterval(-4 * 3600)
        let phone = device(ResourceID(UUID()), FocusDeviceReport(platform: "android", setup: "verified"))
        self.devices = [phone]
        let morningEvents = [("lock", 0), ("unlock", 90), ("lock", 100), ("unlock", 180), ("lock", 200)]
        for (index, event) in morningEvents.enumerated() {
            let at = morning.addingTimeInterval(Double(event.1) * 60)
            self.take(
                FocusSyncEvent(seq: index + 1, kind: event.0, at: at, source: "automatic"), of: phone.id)
        }
        self.minutes[FakeDay.of(now)] = 90
    }

    /// Answers a call of Focus. Lists of what the service does not know are empty.
    mutating func answer(to request: TransportRequest, in scene: FakeScene) -> StubAnswer {
        self.scene = scene
        let operation = Operation.allFocus.called(by: request)
        if operation == .putFocusProfile {
            let profile = made(body(request, FocusProfileSettings.self) ?? FocusProfileSettings())
            self.profile = profile
            return .json(profile)
        }
        if operation == .leaveFocus {
            self = FakeFocus(scene: scene)
            return .done
        }
        guard let profile = self.profile else { return .problem(409, .focusNotJoined) }
        switch operation {
        case .getFocusProfile: return .json(profile)
        case .getFocusNow: return .json(focusNow)
        case .syncFocus: return sync(request)
        case .listFocusDevices, .getFocusDevice, .putFocusDevice, .deleteFocusDevice, .verifyFocusDevice:
            return answerDevices(operation, request)
        case .listFocusSessions, .startFocusSession, .getFocusSession, .endFocusSession:
            return answerSessions(operation, request)
        default: return answerResults(operation, request)
        }
    }

    private func made(_ settings: FocusProfileSettings) -> FocusProfile {
        FocusProfile(
            consent: settings.consent, nickname: settings.nickname, boards: settings.boards ?? true,
            leagues: settings.leagues ?? false, feed: settings.feed ?? false,
            morning: settings.morning ?? false, goalMinutes: settings.goalMinutes, goalFromTomorrow: nil,
            joinedAt: self.profile?.joinedAt ?? now,
            appAccountToken: self.profile?.appAccountToken ?? ResourceID(UUID()))
    }

    private var focusNow: FocusNow {
        let day = self.day(FakeDay.of(now))
        let week = self.week(FakeDay.monday(of: now))
        return FocusNow(
            status: focusStatus,
            streak: self.lockedAt.map { .init(since: $0, estimated: false) },
            day: .init(
                day: day.day, points: day.points, streakCount: day.streakCount,
                longestStreak: day.longestStreak, minutes: day.minutes),
            week: .init(
                week: week.week, points: week.points, streakCount: week.streakCount,
                longestStreak: week.longestStreak),
            session: self.sessions.last { $0.state == "running" },
            goal: .init(minutes: self.profile?.goalMinutes, fromTomorrow: nil, streak: 0, lives: 1),
            freeze: .init(available: false, frozenToday: false), xp: self.xp, coins: self.xp,
            tier: "bronze", tutorial: "offered", proUntil: nil)
    }

    private mutating func sync(_ request: TransportRequest) -> StubAnswer {
        guard let sync = body(request, FocusSync.self),
            let index = self.devices.firstIndex(where: { $0.id.description == sync.deviceID })
        else { return .problem(404, .notFound) }
        let id = self.devices[index].id
        for event in sync.events { self.take(event, of: id) }
        let unlocks = sync.events.filter { $0.kind == "unlock" }
        self.devices[index].syncedAt = now
        if let last = unlocks.last {
            self.devices[index].lastUnlockAt = last.at
            self.devices[index].verify(at: last.at)
        }
        return .json(
            FocusSyncAnswer(
                acknowledged: self.acknowledged[id] ?? 0, rejected: [], others: [], cursor: "1",
                hasMore: false, serverTime: now, now: focusNow))
    }

    // MARK: Phones

    private mutating func answerDevices(
        _ operation: DaylyClient.Operation?, _ request: TransportRequest
    ) -> StubAnswer {
        if operation == .listFocusDevices { return .json(FocusDeviceList(devices: self.devices)) }
        guard let id = request.url.pathComponents.lazy.compactMap(UUID.init).first.map(ResourceID.init) else {
            return .problem(404, .notFound)
        }
        let index = self.devices.firstIndex { $0.id == id }
        if operation == .putFocusDevice, let report = body(request, FocusDeviceReport.self) {
            let device = device(id, report)
            if let index { self.devices[index] = device } else { self.devices.append(device) }
            return .json(device)
        }
        if operation == .deleteFocusDevice {
            self.devices.removeAll { $0.id == id }
            return .done
        }
        guard let index else { return .problem(404, .notFound) }
        guard operation == .verifyFocusDevice else { return .json(self.devices[index]) }
        self.devices[index].setup = "awaiting_verification"
        return .json(
            FocusVerificationWindow(windowStartsAt: now, windowEndsAt: now.addingTimeInterval(120)),
            status: 201)
    }

    private func device(_ id: ResourceID, _ report: FocusDeviceReport) -> FocusDevice {
        let known = self.devices.first { $0.id == id }
        var device =
            known
            ?? FocusDevice(
                id: id, number: (self.devices.map(\.number).max() ?? 0) + 1, platform: report.platform,
                setup: "not_started", reason: nil, status: "pending", issue: "never_verified",
                issueHours: nil, verifiedAt: nil, lastUnlockAt: nil, syncedAt: nil)
        device.setup = report.setup ?? device.setup
        device.reason = report.reason
        if report.setup == "verified" { device.verify(at: now) }
        return device
    }
}

extension FocusDevice {
    /// The first unlock verifies a phone that waits for one, and an Android phone says itself that it is set up.
    fileprivate mutating func verify(at date: Date) {
        guard setup == "awaiting_verification" || setup == "verified" else { return }
        (setup, status, issue) = ("verified", "verified", nil)
        verifiedAt = verifiedAt ?? date
    }
}
