import DeviceIntake
import FeatureKit
import FocusRules
import Foundation
import Postgres
import RateLimiting

/// The effects of a sync.
struct FocusSyncResult: Sendable {
    let acknowledged: Int
    let rejected: [(seq: Int, reason: RejectionReason)]
    /// The events that were kept, and those of them whose time was corrected.
    let kept: Int
    let corrected: Int
    /// Whether an event has verified the phone.
    let hasVerified: Bool
    let others: FocusOtherEvents
    let now: FocusNowState
}

/// Takes the events of a phone. One sync is one transaction; the syncs of a user wait for each other.
struct FocusSyncService: Sendable {
    /// New events of all phones of a user on a UTC day. A fold that begins again and an export read them all.
    private static let eventsPerDay = 2_000

    let postgres: PostgresClient
    let members: FocusMemberStore
    let streaks: FocusStreakKeeper
    let now: FocusNowReader
    let settings: FocusSettings
    let isLimited: Bool
    let seats: FocusLeagueSeats
    let notices: FocusPartnerNotices

    init(
        postgres: PostgresClient, members: FocusMemberStore, streaks: FocusStreakKeeper, now: FocusNowReader,
        settings: FocusSettings, isLimited: Bool, seats: FocusLeagueSeats, notices: FocusPartnerNotices
    ) {
        self.postgres = postgres
        self.members = members
        self.streaks = streaks
        self.now = now
        self.settings = settings
        self.isLimited = isLimited
        self.seats = seats
        self.notices = notices
    }

    /// - Throws: `FocusError.notJoined`, `.notFound` for an unknown phone, `.cursorExpired`; `RateLimited`.
    func sync(_ request: FocusSyncRequest, by user: UserID) async throws -> FocusSyncResult {
        do {
            let result = try await streaks.partitions.retrying {
                try await postgres.transaction { tx in try sync(tx, request, by: user) }
            }
            FocusSyncMetrics.count(result)
            return result
        } catch {
            FocusSyncMetrics.count(error)
            throw error
        }
    }

    private func sync(
        _ tx: PostgresTransaction, _ request: FocusSyncRequest, by user: UserID
    ) throws -> FocusSyncResult {
        var state = try begin(tx, request, by: user)
        let cursor = try cursor(request.cursor, in: state)
        let before = state.status
        let intake = try take(tx, request, in: state)
        let device = intake.device
        state.take(intake)
        let counting = intake.kept.filter { device.counts($0.seq) }
        let folded = try streaks.fold(
            tx, counting.compactMap { StreakEvent($0, device: device.number) }, into: &state)
        let figures = try FocusFigures(
            tx, of: state.member, folded: folded, reports: intake.reports,
            closed: intake.closed, counted: settings.countedStreaks)
        try FocusSyncStore.write(
            tx, state, figures, device: device, events: try additions(tx, intake, in: state))
        let others = try FocusOtherEvents(tx, for: device.number, in: state, after: cursor)
        try signal(tx, intake, figures, in: state, before: before)
        return FocusSyncResult(
            acknowledged: device.intake.acknowledged, rejected: intake.rejected.map { ($0.seq, $0.reason) },
            kept: intake.kept.count, corrected: intake.correctedCount, hasVerified: intake.hasVerified,
            others: others, now: try now.state(tx, state, figures))
    }

    private func begin(
        _ tx: PostgresTransaction, _ request: FocusSyncRequest, by user: UserID
    ) throws -> FocusUserState {
        guard var state = try FocusUserStore.lockIfPresent(tx, user) else {
            _ = try members.require(tx, user)
            throw FocusError.notFound
        }
        if isLimited { try state.limits.take(at: state.member.now) }
        return state
    }

    private func cursor(_ text: String?, in state: FocusUserState) throws -> FocusSyncCursor {
        guard let text else { return FocusSyncCursor(since: state.member.now - 7 * 86_400) }
        guard let cursor = FocusSyncCursor(text), cursor.isPossible(for: state) else {
            throw FocusError.cursorExpired
        }
        return cursor
    }

    private func take(
        _ tx: PostgresTransaction, _ request: FocusSyncRequest, in state: FocusUserState
    ) throws -> FocusIntake {
        let member = state.member
        guard let device = state.devices.first(where: { $0.id == request.device }) else {
            throw FocusError.notFound
        }
        let opened = FocusSyncIntentions(tx, member, notices)
        var intake = FocusIntake(
            device: device, usage: state.usage,
            sync: request.report.syncTime(receivedAt: member.now),
            limits: IntakeLimits(
                maxAge: settings.eventAge,
                eventsPerDay: isLimited ? Self.eventsPerDay - state.events(exceptOf: device) : nil),
            localDays: FocusLocalDays(today: member.today, state.today), reachedOn: state.reachedOn,
            earlierDays: { try FocusUserStore.days(tx, before: member.today, count: 9, zone: member.zone) },
            reaches: opened.reach, opens: opened.open)
        try intake.take(request.report.events)
        try opened.save()
        return intake
    }

    /// The kept events by their UTC days, packed after those that are stored.
    private func additions(
        _ tx: PostgresTransaction, _ intake: FocusIntake, in state: FocusUserState
    ) throws -> [FocusEventAddition] {
        guard !intake.kept.isEmpty else { return [] }
        let user = state.member.user
        let days = Dictionary(grouping: intake.kept) { utcDay(of: $0.at) }
        let known =
            intake.intentions.isEmpty
            ? [:]
            : try FocusEventStore.intentions(tx, of: user, device: intake.device.number, on: Array(days.keys))
        return days.sorted { $0.key < $1.key }.compactMap { day, events in
            FocusEventAddition(
                day: day, events, after: intake.before, naming: intake.intentions, known: known[day] ?? [])
        }
    }

    private func signal(
        _ tx: PostgresTransaction, _ intake: FocusIntake, _ figures: FocusFigures, in state: FocusUserState,
        before: DeviceStatus
    ) throws {
        let user = state.member.user
        if !intake.kept.isEmpty || state.status != before {
            FocusHints().nowChanged(tx, of: user)
            try streaks.changed(tx, state, figures, unlocks: intake.unlocks)
        }
        if !intake.closed.isEmpty { try seats.pointsGrew(tx, state.member) }
        if state.hasBoards, !figures.weeks.isEmpty || state.status != before {
            try FocusHints().boardsChanged(tx, of: state.member, weeks: figures.weeks.map(\.week))
        }
    }
}
