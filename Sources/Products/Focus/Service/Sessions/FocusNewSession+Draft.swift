import FocusAPI
import DaylyAPI
import DeviceIntake
import FocusRules
import Foundation
import HTTPKit
import PhoneService

/// The wishes of a user for a new session.
struct FocusSessionDraft: Sendable {
    enum Plan: Sendable {
        case byHand(name: String?, emoji: String?, goalMinutes: Int, mode: FocusMode, isBeastMode: Bool)
        case bySchedule(FocusScheduledDate)
    }

    let plan: Plan
    /// The times of a session that began offline; nil: it begins now.
    let times: FocusReportedTimes?
}

/// The times that a phone reports of something that happened before.
struct FocusReportedTimes: Sendable {
    let startedAt: Instant
    let endedAt: Instant?
    let clientTime: Instant
}

extension FocusSessionDraft {
    /// - Throws: 400 that points at the faulty member.
    init(_ body: FocusNewSession) throws(InputFault) {
        times = try FocusReportedTimes.read(body)
        if let id = body.scheduleID {
            guard let date = body.date else { throw InputFault("/date", "is needed with schedule_id") }
            guard body.goalMinutes == nil else {
                throw InputFault("/goal_minutes", "must be left out with schedule_id")
            }
            plan = .bySchedule(
                FocusScheduledDate(id: FocusScheduleID(id.uuid), date: try FocusInput.day(date, "/date")))
        } else {
            guard body.date == nil else { throw InputFault("/date", "is for schedules only") }
            guard let goal = body.goalMinutes else { throw InputFault("/goal_minutes", "is needed") }
            plan = .byHand(
                name: try FocusInput.name(body.name), emoji: try FocusInput.emoji(body.emoji),
                goalMinutes: try FocusInput.number(goal, 5...120, "/goal_minutes"),
                mode: try FocusInput.mode(body.mode), isBeastMode: body.beastMode ?? false)
        }
    }
}

extension FocusReportedTimes {
    /// nil without times.
    static func read(_ body: FocusNewSession) throws(InputFault) -> FocusReportedTimes? {
        guard let startedAt = body.startedAt else {
            guard body.endedAt == nil else { throw InputFault("/ended_at", "needs started_at") }
            guard body.clientTime == nil else { throw InputFault("/client_time", "needs started_at") }
            return nil
        }
        guard let clientTime = body.clientTime else {
            throw InputFault("/client_time", "is needed with started_at")
        }
        return FocusReportedTimes(
            startedAt: startedAt.instant, endedAt: body.endedAt?.instant, clientTime: clientTime.instant)
    }
}

/// The clock of a phone that reports something late.
struct FocusPhoneClock: Sendable {
    let clientTime: Instant
    let receivedAt: Instant
    /// In seconds.
    let maxAge: Int

    /// The corrected time.
    ///
    /// - Throws: 400 for a time that is too long ago.
    func time(_ at: Instant, _ pointer: String) throws(InputFault) -> Instant {
        let sync = SyncTime(receivedAt: receivedAt, clientTime: clientTime)
        switch sync.time(of: ReportedTime(at: at), maxAge: maxAge) {
        case .success(let time): return time
        case .failure: throw InputFault(pointer, "is too long ago")
        }
    }
}
