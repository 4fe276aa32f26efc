import FocusAPI
import DaylyAPI
import FeatureKit
import FocusRules
import Foundation
import HTTPKit
import Hummingbird
import PhoneService

/// `/v1/focus/schedules`.
struct FocusScheduleRoutes: Sendable {
    let service: FocusScheduleService

    var routes: [Route] {
        [
            Route(.get, "focus/schedules", use: list),
            Route(.post, "focus/schedules", use: create),
            Route(.put, "focus/schedules/:id", use: replace),
            Route(.delete, "focus/schedules/:id", use: delete),
        ]
    }

    private func list(
        _ request: Request, _ context: AppContext
    ) async throws -> ConditionalJSON<FocusScheduleList> {
        let schedules = try await service.list(of: context.requireUser())
        return ConditionalJSON(FocusScheduleList(schedules: schedules.map(FocusSchedule.init)))
    }

    private func create(_ request: Request, _ context: AppContext) async throws -> Reply<FocusSchedule> {
        let user = try context.requireUser()
        let (body, call) = try await request.decodeRepeatableJSON(
            FocusScheduleSettings.self, context: context)
        return try await service.create(FocusScheduleDraft(body), call, by: user).reply(FocusSchedule.init)
    }

    private func replace(_ request: Request, _ context: AppContext) async throws -> Reply<FocusSchedule> {
        let (user, id) = (try context.requireUser(), try context.requireID("id", as: FocusScheduleID.self))
        let body = try await request.decodeJSON(FocusScheduleSettings.self, context: context)
        return Reply(FocusSchedule(try await service.replace(id, by: FocusScheduleDraft(body), of: user)))
    }

    private func delete(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let user = try context.requireUser()
        try await service.delete(context.requireID("id"), of: user)
        return .noContent
    }
}

extension FocusScheduleDraft {
    /// - Throws: 400 that points at the faulty member.
    init(_ body: FocusScheduleSettings) throws(InputFault) {
        let weekdays = Set(body.weekdays)
        guard (1...7).contains(weekdays.count), weekdays.count == body.weekdays.count,
            weekdays.allSatisfy((1...7).contains)
        else { throw InputFault("/weekdays", "must be 1 to 7 different numbers from 1 to 7") }
        let times = ScheduleTimes(
            from: try FocusInput.time(body.from, "/from"), to: try FocusInput.time(body.to, "/to"),
            weekdays: weekdays)
        guard times.hasValidLength else {
            throw InputFault("/to", "must be 20 minutes to 12 hours after from")
        }
        self.init(
            name: try FocusInput.name(body.name), emoji: try FocusInput.emoji(body.emoji), times: times,
            mode: try FocusInput.mode(body.mode), isBeastMode: body.beastMode ?? false)
    }
}

extension FocusSchedule {
    init(_ schedule: FocusScheduleState) {
        self.init(
            id: schedule.id.resourceID, name: schedule.name, emoji: schedule.emoji,
            from: Self.text(schedule.times.from), to: Self.text(schedule.times.to),
            weekdays: schedule.times.weekdays.sorted(), mode: schedule.mode.rawValue,
            beastMode: schedule.isBeastMode, nextAt: schedule.nextAt.map(Date.init(instant:)))
    }

    /// `HH:MM`.
    private static func text(_ minutes: Int) -> String {
        [minutes / 60, minutes % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
    }
}
