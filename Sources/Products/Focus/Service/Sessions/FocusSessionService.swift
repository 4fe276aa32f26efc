import FeatureKit
import FocusRules
import Foundation
import HTTPKit
import PhoneService
import Postgres
import RateLimiting

/// Sessions: promises to stay away from the phone. A user's calls run one after the other, under the lock of the profile.
struct FocusSessionService: Sendable {
    let members: FocusMemberStore
    let sessions: FocusSessionStore
    let settings: FocusSettings
    let partitions: FocusPartitions
    let ledger: FocusLedger
    let rates: RateLimits

    private var postgres: PostgresClient { sessions.postgres }

    /// Starts a session, or takes the report of one that was held offline.
    ///
    /// - Throws: `FocusError.sessionActive`, `.scheduleAlreadyStarted`, `.proRequired`, `.beastMode`, `.notFound`;
    ///   `InputFault`; `IdempotencyKeyReused`; `RateLimited`.
    func start(
        _ draft: FocusSessionDraft, _ call: RepeatableCall?, by user: UserID
    ) async throws -> Creation<FocusSessionState> {
        try await partitions.retrying {
            try await postgres.transaction { tx in
                let member = try members.requireLocked(tx, user)
                return try IdempotencyKeyStore.once(tx, call, of: user, id: FocusSessionID(.version7())) {
                    id in
                    try rates.check(tx, [Self.dayLimit(of: user)])
                    return try start(tx, draft, id, member)
                } find: { id in
                    try sessions.require(tx, id, of: user)
                }
            }
        }
    }

    /// Ends a session. One that has ended stays as it is.
    ///
    /// - Parameter report: the phone's times of an end that it reports later; nil: the end is now.
    func end(
        _ id: FocusSessionID, _ report: (endedAt: Instant, clientTime: Instant)?, by user: UserID
    ) async throws -> FocusSessionState {
        try await partitions.retrying {
            try await postgres.transaction { tx in
                try end(tx, id, report, try members.requireLocked(tx, user))
            }
        }
    }

    private func end(
        _ tx: PostgresTransaction, _ id: FocusSessionID, _ report: (endedAt: Instant, clientTime: Instant)?,
        _ member: FocusMember
    ) throws -> FocusSessionState {
        try sessions.loseOverdue(tx, of: member.user)
        var session = try sessions.require(tx, id, of: member.user)
        guard session.state == .running else { return session }
        var end = member.now
        if let report {
            end = try clock(report.clientTime, member).time(report.endedAt, "/ended_at")
        } else {
            // A phone's clock may be ahead by a minute when it reports a beginning.
            end = max(end, session.startedAt)
        }
        let outcome = try outcome(tx, of: session, endedAt: end, member)
        session.end = outcome
        try sessions.update(tx, id, outcome)
        try finish(tx, session, member)
        return session
    }

    private func start(
        _ tx: PostgresTransaction, _ draft: FocusSessionDraft, _ id: FocusSessionID, _ member: FocusMember
    ) throws -> FocusSessionState {
        try sessions.loseOverdue(tx, of: member.user)
        let (start, end) = try times(draft.times, member)
        var session = try session(tx, draft.plan, id, start, member)
        if let end { session.end = try outcome(tx, of: session, endedAt: end, member) }
        guard try !sessions.overlaps(tx, of: member.user, from: start, to: end) else {
            throw FocusError.sessionActive
        }
        try sessions.insert(tx, session, of: member.user)
        try finish(tx, session, member)
        return session
    }

    /// The beginning and, where the session has ended already, the end.
    private func times(
        _ reported: FocusReportedTimes?, _ member: FocusMember
    ) throws -> (start: Instant, end: Instant?) {
        guard let reported else { return (member.now, nil) }
        let clock = clock(reported.clientTime, member)
        let start = try clock.time(reported.startedAt, "/started_at")
        guard let end = reported.endedAt else { return (start, nil) }
        return (start, try clock.time(end, "/ended_at"))
    }

    /// The session that the plan describes, before its end.
    private func session(
        _ tx: PostgresTransaction, _ plan: FocusSessionDraft.Plan, _ id: FocusSessionID, _ start: Instant,
        _ member: FocusMember
    ) throws -> FocusSessionState {
        switch plan {
        case .byHand(let name, let emoji, let goalMinutes, let mode, let isBeastMode):
            guard !isBeastMode || member.isPro else { throw FocusError.proRequired }
            return FocusSessionState(
                id: id, name: name, emoji: emoji, goalMinutes: goalMinutes, mode: mode,
                isBeastMode: isBeastMode, schedule: nil, startedAt: start)
        case .bySchedule(let scheduled):
            let schedule = try FocusScheduleStore.require(tx, scheduled.id, of: member)
            let end = try FocusScheduleStore.end(tx, of: schedule, on: scheduled.date, around: start, member)
            guard let end else {
                throw InputFault("/date", "has no session of the schedule at this time")
            }
            guard try member.isPro || FocusScheduleStore.isOldest(tx, scheduled.id, of: member.user) else {
                throw FocusError.proRequired
            }
            guard try !sessions.exists(tx, of: scheduled) else { throw FocusError.scheduleAlreadyStarted }
            return FocusSessionState(
                id: id, name: schedule.name, emoji: schedule.emoji,
                goalMinutes: scheduledGoalMinutes(startedAt: start, endsAt: end), mode: schedule.mode,
                isBeastMode: schedule.isBeastMode, schedule: scheduled, startedAt: start)
        }
    }

    /// - Throws: `FocusError.beastMode` for an end that beast mode refuses; 400 for an end before the beginning.
    private func outcome(
        _ tx: PostgresTransaction, of session: FocusSessionState, endedAt: Instant, _ member: FocusMember
    ) throws -> FocusSessionOutcome {
        let elapsed = endedAt - session.startedAt
        guard elapsed >= 0 else { throw InputFault("/ended_at", "must not be before the beginning") }
        let end = SessionEnd(
            goalMinutes: session.goalMinutes, elapsedSeconds: elapsed, isBeastMode: session.isBeastMode)
        guard let end else { throw FocusError.beastMode(endsAt: Date(instant: session.goalEndsAt)) }
        let day = try sessions.day(tx, of: endedAt, in: member.zone)
        var xp = end.xp
        if xp > 0, try sessions.countPaid(tx, of: member.user, on: day) >= settings.paidSessions { xp = 0 }
        return FocusSessionOutcome(state: end.state, at: endedAt, day: day, xp: xp)
    }

    /// Pays for a completed session, and lets the user's clients know.
    private func finish(
        _ tx: PostgresTransaction, _ session: FocusSessionState, _ member: FocusMember
    ) throws {
        if let end = session.end, end.state == .completed, let day = end.day {
            try sessions.raiseRecord(tx, of: member.user, on: day)
            if end.xp > 0 {
                let cause = "session:\(session.id.resourceID)"
                try ledger.pay(tx, member, cause: cause, xp: end.xp, on: day)
            }
        }
        FocusHints().nowChanged(tx, of: member.user)
    }

    /// A session that is canceled at once overlaps no other one, so only this bounds their rows.
    private static func dayLimit(of user: UserID) -> RateLimit {
        RateLimit(
            scope: "focus.session.day", subject: user.rawValue.uuidString, limit: 200, per: .seconds(86_400))
    }

    private func clock(_ clientTime: Instant, _ member: FocusMember) -> FocusPhoneClock {
        FocusPhoneClock(clientTime: clientTime, receivedAt: member.now, maxAge: settings.eventAge)
    }
}
