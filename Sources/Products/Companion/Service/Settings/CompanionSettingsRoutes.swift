import CompanionAPI
import CompanionRules
import DaylyAPI
import FeatureKit
import Foundation
import HTTPKit
import Hummingbird
import PhoneService

/// `/v1/companion/settings`.
struct CompanionSettingsRoutes: Sendable {
    let service: CompanionSettingsService

    var routes: [Route] {
        [
            Route(.get, "companion/settings", use: get),
            Route(.put, "companion/settings", use: put),
        ] + departures
    }

    var departures: [Route] { [Route(.delete, "companion/settings", .erases, use: leave)] }

    private func get(
        _ request: Request, _ context: AppContext
    ) async throws -> ConditionalJSON<CompanionPreferences> {
        ConditionalJSON(CompanionPreferences(try await service.get(context.requireUser())))
    }

    private func put(_ request: Request, _ context: AppContext) async throws -> Reply<CompanionPreferences> {
        let user = try context.requireUser()
        let body = try await request.decodeJSON(CompanionPreferencesRequest.self, context: context)
        return Reply(
            CompanionPreferences(try await service.put(try CompanionSettingsChange(body), by: user)))
    }

    private func leave(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        try await service.leave(context.requireUser())
        return .noContent
    }
}

extension CompanionPreferences {
    init(_ state: CompanionSettingsState) {
        let owner = state.owner
        self.init(
            consent: state.consent, limitMinutes: owner.limit.tomorrow, limitMinutesToday: owner.limit.today,
            cooldownMinutes: owner.cooldownMinutes, schedule: owner.schedule.map(CompanionShieldTimes.init),
            nightly: owner.wantsNightly, joinedAt: Date(instant: owner.joinedAt))
    }
}

extension CompanionSettingsChange {
    /// - Throws: 400 that points at the faulty member.
    init(_ body: CompanionPreferencesRequest) throws(InputFault) {
        guard body.consent == CompanionSettingsService.consent else {
            throw InputFault("/consent", "must be \"\(CompanionSettingsService.consent)\"")
        }
        let limits = DailyLimit.bounds
        guard limits.contains(body.limitMinutes) else {
            throw InputFault(
                "/limit_minutes", "must be \(limits.lowerBound) to \(limits.upperBound)")
        }
        let cooldown = body.cooldownMinutes ?? BypassWindow.defaultCooldown
        guard BypassWindow.cooldowns.contains(cooldown) else {
            throw InputFault("/cooldown_minutes", "must be 10, 20, 30, 45 or 60")
        }
        self.init(
            consent: body.consent, limitMinutes: body.limitMinutes, cooldownMinutes: cooldown,
            schedule: try ShieldSchedule(optional: body.schedule), wantsNightly: body.nightly ?? true)
    }
}

extension CompanionShieldTimes {
    init(_ schedule: ShieldSchedule) {
        self.init(
            from: Self.text(schedule.from), to: Self.text(schedule.to), weekdays: schedule.weekdays.sorted())
    }

    private static func text(_ minute: Int) -> String {
        let digits = [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return digits.joined(separator: ":")
    }
}

extension ShieldSchedule {
    /// - Throws: 400 that points at the faulty member.
    init?(optional times: CompanionShieldTimes?) throws(InputFault) {
        guard let times else { return nil }
        let days = times.weekdays
        guard !days.isEmpty, Set(days).count == days.count, days.allSatisfy((1...7).contains) else {
            throw InputFault("/schedule/weekdays", "must be 1 to 7 different numbers from 1 to 7")
        }
        self.init(
            from: try Self.minute(times.from, "/schedule/from"),
            to: try Self.minute(times.to, "/schedule/to"),
            weekdays: Set(days))
    }

    /// A time of day such as `22:00`, in minutes since midnight.
    private static func minute(_ text: String, _ pointer: String) throws(InputFault) -> Int {
        guard let match = text.wholeMatch(of: /([01][0-9]|2[0-3]):([0-5][0-9])/), let hour = Int(match.1),
            let minute = Int(match.2)
        else { throw InputFault(pointer, "must be a time such as 22:00") }
        return hour * 60 + minute
    }
}
