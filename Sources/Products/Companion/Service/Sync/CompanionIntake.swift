import CompanionRules
import DeviceIntake
import FeatureKit
import Foundation
import Postgres

/// Takes the events of one sync in their order: gives each its time and its day, and judges it by the figures after those
/// before it.
struct CompanionIntake {
    struct Rejection: Sendable, Equatable {
        let seq: Int
        let reason: RejectionReason
    }

    let owner: CompanionOwner
    private let sync: SyncTime
    private let limits: IntakeLimits
    private let closing: CompanionDayClosing
    private let writer = CompanionDiaryWriter()
    private(set) var device: CompanionDeviceState
    private(set) var days: CompanionDayBook
    private(set) var bypasses: CompanionBypassBook
    private var clocks: CompanionClocks
    private(set) var rejected: [Rejection] = []
    /// The events that were accepted.
    private(set) var acceptedCount = 0

    /// Whether the events have changed a day, its diary or a window.
    var hasChangedDays: Bool { !days.changed.isEmpty || bypasses.changed != nil }

    init(
        _ request: CompanionSyncRequest, of owner: CompanionOwner, limits: IntakeLimits,
        closing: CompanionDayClosing, device: CompanionDeviceState, days: CompanionDayBook,
        lastBypass: CompanionBypassState?
    ) {
        self.owner = owner
        self.limits = limits
        self.closing = closing
        self.device = device
        self.days = days
        bypasses = CompanionBypassBook(last: lastBypass)
        let sync = request.report.syncTime(receivedAt: owner.now)
        self.sync = sync
        // An event has its own time or that of an earlier event of the phone.
        let times = request.report.events.compactMap {
            try? sync.time(of: $0.time, maxAge: limits.maxAge).get()
        }
        clocks = CompanionClocks(
            zone: owner.zone,
            expecting: times + [device.intake.lastTime].compactMap { $0 } + days.shownInstants)
    }

    mutating func take(_ tx: PostgresTransaction, _ events: [CompanionSyncRequest.Event]) throws {
        for event in events {
            switch device.intake.take(seq: event.seq, reported: event.time, sync: sync, limits: limits) {
            case .duplicate: continue
            case .rejected(let reason): rejected.append(Rejection(seq: event.seq, reason: reason))
            case .timed(let time):
                if let reason = try take(tx, event.content, at: time) {
                    rejected.append(Rejection(seq: event.seq, reason: reason))
                } else {
                    device.intake.accept(at: time)
                    acceptedCount += 1
                }
            }
        }
    }

    /// - Returns: the reason for which the event is refused.
    private mutating func take(
        _ tx: PostgresTransaction, _ content: CompanionSyncRequest.Content, at time: Instant
    ) throws -> RejectionReason? {
        if case .usage(let day, let minutes, let isFinal) = content {
            return try report(tx, day, minutes: minutes, isFinal: isFinal)
        }
        let instant = instantOfDay(happenedAt: time, receivedAt: owner.now)
        guard let place = days.place(holding: instant) else { return .unknownDay }
        switch content {
        case .bypass: return try bypass(tx, place, at: time)
        case .reshield: reshield(place, at: time)
        case .open: try open(tx, place, at: time)
        case .usage: break
        }
        return nil
    }

    private mutating func bypass(
        _ tx: PostgresTransaction, _ place: Int, at time: Instant
    ) throws -> RejectionReason? {
        let refusal = BypassRules.refusal(
            of: time, hp: days[place].figures.hp, lastWindow: bypasses.lastWindow,
            isShielded: try isShielded(tx, at: time))
        if let refusal { return refusal }
        let text = days[place].figures.takeBypass(at: time)
        let figures = days[place].figures
        if figures.hp == 0 { days[place].terminalAt = time }
        let window = BypassRules.window(
            openedBy: time, hp: figures.hp, cooldownMinutes: owner.cooldownMinutes)
        bypasses.add(
            CompanionBypassState(day: figures.day, number: figures.bypasses, at: time, window: window))
        if let window { days.count(window) }
        if let text { try write(tx, text, place, at: time) }
        return nil
    }

    private mutating func isShielded(_ tx: PostgresTransaction, at time: Instant) throws -> Bool {
        guard let schedule = owner.schedule else { return true }
        let clock = try clocks.clock(tx, at: time)
        return schedule.isUp(weekday: clock.weekday, minute: clock.minute)
    }

    private mutating func reshield(_ place: Int, at time: Instant) {
        days[place].figures.hasEvents = true
        guard let earlier = bypasses.lastWindow else { return }
        var window = earlier
        guard window.reshield(at: time) else { return }
        bypasses.setLastWindow(window)
        days.count(window, insteadOf: earlier)
    }

    private mutating func open(_ tx: PostgresTransaction, _ place: Int, at time: Instant) throws {
        days[place].figures.hasEvents = true
        let texts = textsWritten(
            byOpenAt: time, on: days[place].figures, dayBefore: days.dayBefore(place)?.figures)
        for text in texts {
            try write(tx, text.kind, text.day == days[place].day ? place : place - 1, at: time)
        }
    }

    private mutating func report(
        _ tx: PostgresTransaction, _ day: DayNumber, minutes: Int, isFinal: Bool
    ) throws -> RejectionReason? {
        guard let place = days.place(of: day) else {
            return try CompanionDayStore.hadDay(tx, day, of: owner) ? .tooOld : .unknownDay
        }
        let times = days[place].figures.times
        if let reason = refusal(ofReportAbout: times, receivedAt: owner.now) { return reason }
        let effect = ReportEffect(day: day, times: times, isFinal: isFinal, receivedAt: owner.now)
        try closing.close(tx, through: place - 1, in: &days, of: owner)
        if days[place].closedAt == nil { days[place].figures.takeReport(minutes: minutes) }
        days[place].figures.hasEvents = true
        if effect.closesOwnDay { try closing.close(tx, through: place, in: &days, of: owner) }
        return nil
    }

    private mutating func write(
        _ tx: PostgresTransaction, _ kind: DiaryKind, _ place: Int, at time: Instant
    ) throws {
        if kind == .welcome { days[place].figures.hasWelcome = true }
        if kind.isSummary { days[place].figures.hasSummary = true }
        try writer.write(
            tx, kind, of: days[place].figures, at: time, for: owner.user, clocks: &clocks)
    }
}
