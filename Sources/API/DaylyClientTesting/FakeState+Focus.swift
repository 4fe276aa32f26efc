import DaylyAPI
import DaylyClient
import Foundation

extension FakeState {
    /// The user with a verified phone, a nickname, and the streaks of a morning.
    mutating func joinFocus() {
        focus.profile = profile(FocusProfileSettings(nickname: "ada", leagues: true, goalMinutes: 180))
        let morning = now.addingTimeInterval(-4 * 3600)
        let phone = device(ResourceID(UUID()), FocusDeviceReport(platform: "android", setup: "verified"))
        focus.devices = [phone]
        let morningEvents = [("lock", 0), ("unlock", 90), ("lock", 100), ("unlock", 180), ("lock", 200)]
        for (index, event) in morningEvents.enumerated() {
            let at = morning.addingTimeInterval(Double(event.1) * 60)
            focus.take(
                FocusSyncEvent(seq: index + 1, kind: event.0, at: at, source: "automatic"), of: phone.id)
        }
        focus.minutes[FakeDay.of(now)] = 90
    }

    /// Answers a call of Focus. Lists of what the service does not know are empty.
    mutating func answerFocus(_ operation: DaylyClient.Operation?, _ request: TransportRequest) -> StubAnswer
    {
        if operation == .putFocusProfile {
            let profile = profile(body(request, FocusProfileSettings.self) ?? FocusProfileSettings())
            focus.profile = profile
            return .json(profile)
        }
        if operation == .leaveFocus {
            focus = FakeFocus()
            return .done
        }
        guard let profile = focus.profile else { return .problem(409, .focusNotJoined) }
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

    private func profile(_ settings: FocusProfileSettings) -> FocusProfile {
        FocusProfile(
            consent: settings.consent, nickname: settings.nickname, boards: settings.boards ?? true,
            leagues: settings.leagues ?? false, feed: settings.feed ?? false,
            morning: settings.morning ?? false, goalMinutes: settings.goalMinutes, goalFromTomorrow: nil,
            joinedAt: focus.profile?.joinedAt ?? now,
            appAccountToken: focus.profile?.appAccountToken ?? ResourceID(UUID()))
    }

    private var focusNow: FocusNow {
        let day = focus.day(FakeDay.of(now))
        let week = focus.week(FakeDay.monday(of: now))
        return FocusNow(
            status: focusStatus,
            streak: focus.lockedAt.map { .init(since: $0, estimated: false) },
            day: .init(
                day: day.day, points: day.points, streakCount: day.streakCount,
                longestStreak: day.longestStreak, minutes: day.minutes),
            week: .init(
                week: week.week, points: week.points, streakCount: week.streakCount,
                longestStreak: week.longestStreak),
            session: focus.sessions.last { $0.state == "running" },
            goal: .init(minutes: focus.profile?.goalMinutes, fromTomorrow: nil, streak: 0, lives: 1),
            freeze: .init(available: false, frozenToday: false), xp: focus.xp, coins: focus.xp,
            tier: "bronze", tutorial: "offered", proUntil: nil)
    }

    private mutating func sync(_ request: TransportRequest) -> StubAnswer {
        guard let sync = body(request, FocusSync.self),
            let index = focus.devices.firstIndex(where: { $0.id.description == sync.deviceID })
        else { return .problem(404, .notFound) }
        let id = focus.devices[index].id
        for event in sync.events { focus.take(event, of: id) }
        let unlocks = sync.events.filter { $0.kind == "unlock" }
        focus.devices[index].syncedAt = now
        if let last = unlocks.last {
            focus.devices[index].lastUnlockAt = last.at
            focus.devices[index].verify(at: last.at)
        }
        return .json(
            FocusSyncAnswer(
                acknowledged: focus.acknowledged[id] ?? 0, rejected: [], others: [], cursor: "1",
                hasMore: false, serverTime: now, now: focusNow))
    }

    // MARK: Phones

    private mutating func answerDevices(
        _ operation: DaylyClient.Operation?, _ request: TransportRequest
    ) -> StubAnswer {
        if operation == .listFocusDevices { return .json(FocusDeviceList(devices: focus.devices)) }
        guard let id = request.url.pathComponents.lazy.compactMap(UUID.init).first.map(ResourceID.init) else {
            return .problem(404, .notFound)
        }
        let index = focus.devices.firstIndex { $0.id == id }
        if operation == .putFocusDevice, let report = body(request, FocusDeviceReport.self) {
            let device = device(id, report)
            if let index { focus.devices[index] = device } else { focus.devices.append(device) }
            return .json(device)
        }
        if operation == .deleteFocusDevice {
            focus.devices.removeAll { $0.id == id }
            return .done
        }
        guard let index else { return .problem(404, .notFound) }
        guard operation == .verifyFocusDevice else { return .json(focus.devices[index]) }
        focus.devices[index].setup = "awaiting_verification"
        return .json(
            FocusVerificationWindow(windowStartsAt: now, windowEndsAt: now.addingTimeInterval(120)),
            status: 201)
    }

    private func device(_ id: ResourceID, _ report: FocusDeviceReport) -> FocusDevice {
        let known = focus.devices.first { $0.id == id }
        var device =
            known
            ?? FocusDevice(
                id: id, number: (focus.devices.map(\.number).max() ?? 0) + 1, platform: report.platform,
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
