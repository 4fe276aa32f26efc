import FocusAPI
import DaylyAPI
import DeviceIntake
import FeatureKit
import HTTPKit
import Hummingbird

/// `/v1/focus/partners`.
struct FocusPartnerRoutes: Sendable {
    let service: FocusPartnerService

    var routes: [Route] {
        [
            Route(.get, "focus/partners", use: list),
            Route(.put, "focus/partners/:user_id", use: ask),
            Route(.delete, "focus/partners/:user_id", use: end),
            Route(.post, "focus/partners/:user_id/accept", use: accept),
        ]
    }

    private func list(
        _ request: Request, _ context: AppContext
    ) async throws -> ConditionalJSON<FocusPartnerList> {
        let (partners, partnerOf) = try await service.list(of: context.requireUser())
        return ConditionalJSON(
            FocusPartnerList(
                partners: partners.map(FocusPartner.init), partnerOf: partnerOf.map(FocusPartnership.init)))
    }

    private func ask(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let user = try context.requireUser()
        try await service.ask(context.requireID("user_id"), by: user)
        return .noContent
    }

    private func end(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let user = try context.requireUser()
        try await service.end(context.requireID("user_id"), by: user)
        return .noContent
    }

    private func accept(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let user = try context.requireUser()
        try await service.accept(context.requireID("user_id"), by: user)
        return .noContent
    }
}

extension FocusPartnerState {
    fileprivate var stateName: String { isAccepted ? "accepted" : "requested" }
}

extension FocusPartner {
    init(_ partner: FocusPartnerState) {
        self.init(
            userID: partner.person.resourceID, firstName: partner.firstName, state: partner.stateName,
            since: partner.since)
    }
}

extension FocusPartnership {
    init(_ partner: FocusPartnerState) {
        self.init(
            userID: partner.person.resourceID, firstName: partner.firstName, state: partner.stateName,
            since: partner.since,
            breaks: partner.breaks.map { Break(day: isoText(day: $0.day), streak: $0.streak) })
    }
}
