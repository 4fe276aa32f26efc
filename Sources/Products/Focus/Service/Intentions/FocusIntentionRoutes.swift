import FocusAPI
import DaylyAPI
import DeviceIntake
import FeatureKit
import FocusRules
import Foundation
import HTTPKit
import Hummingbird
import PhoneService

/// `/v1/focus/intentions` and `/v1/focus/freeze`.
struct FocusIntentionRoutes: Sendable {
    let service: FocusIntentionService

    var routes: [Route] {
        [
            Route(.get, "focus/intentions", use: list),
            Route(.post, "focus/intentions", use: create),
            Route(.put, "focus/intentions/:id", use: replace),
            Route(.delete, "focus/intentions/:id", use: delete),
            Route(.post, "focus/freeze", use: freeze),
        ]
    }

    private func list(
        _ request: Request, _ context: AppContext
    ) async throws -> ConditionalJSON<FocusIntentionList> {
        let views = try await service.list(of: context.requireUser())
        return ConditionalJSON(FocusIntentionList(intentions: views.map(FocusIntention.init)))
    }

    private func create(_ request: Request, _ context: AppContext) async throws -> Reply<FocusIntention> {
        let user = try context.requireUser()
        let (body, call) = try await request.decodeRepeatableJSON(
            FocusIntentionSettings.self, context: context)
        return try await service.create(FocusIntentionDraft(body), call, by: user).reply(FocusIntention.init)
    }

    private func replace(_ request: Request, _ context: AppContext) async throws -> Reply<FocusIntention> {
        let (user, id) = (try context.requireUser(), try context.requireID("id", as: FocusIntentionID.self))
        let body = try await request.decodeJSON(FocusIntentionSettings.self, context: context)
        return Reply(FocusIntention(try await service.replace(id, by: FocusIntentionDraft(body), of: user)))
    }

    private func delete(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let user = try context.requireUser()
        try await service.delete(context.requireID("id"), of: user)
        return .noContent
    }

    private func freeze(_ request: Request, _ context: AppContext) async throws -> Reply<FocusFrozenDay> {
        let user = try context.requireUser()
        let call = try await request.repeatableCall(context: context)
        return try await service.freeze(call, by: user).reply { FocusFrozenDay(day: isoText(day: $0)) }
    }
}

extension FocusIntentionDraft {
    /// - Throws: 400 that points at the faulty member.
    init(_ body: FocusIntentionSettings) throws(InputFault) {
        self.init(
            label: try FocusInput.requiredName(body.label, "/label"),
            opens: try FocusInput.number(body.opens, 1...50, "/opens"),
            minutes: try FocusInput.number(body.minutes, 1...60, "/minutes"))
    }
}

extension FocusIntention {
    init(_ view: FocusIntentionService.View) {
        let (days, today) = (view.intention.days, view.today)
        self.init(
            id: view.intention.id.resourceID, label: view.intention.label,
            opens: days.limit.inForce(on: today) ?? 0, minutes: view.intention.minutes,
            opensFromTomorrow: days.limit.waiting(on: today)?.value, used: days.used(on: today),
            streak: days.streak, best: days.best, frozen: view.isFrozen)
    }
}
