import FocusAPI
import DaylyAPI
import FeatureKit
import FocusRules
import Foundation
import HTTPKit
import Hummingbird
import StoreReceipts

/// `/v1/focus/profile`.
struct FocusProfileRoutes: Sendable {
    let service: FocusProfileService
    let tokens: AppAccountToken

    var routes: [Route] {
        [
            Route(.get, "focus/profile", use: get),
            Route(.put, "focus/profile", use: put),
        ] + departures
    }

    var departures: [Route] { [Route(.delete, "focus/profile", .erases, use: leave)] }

    private func get(
        _ request: Request, _ context: AppContext
    ) async throws -> ConditionalJSON<FocusProfile> {
        let user = try context.requireUser()
        return ConditionalJSON(message(try await service.profiles.require(user)))
    }

    private func put(_ request: Request, _ context: AppContext) async throws -> Reply<FocusProfile> {
        let user = try context.requireUser()
        let body = try await request.decodeJSON(FocusProfileSettings.self, context: context)
        return Reply(message(try await service.put(try FocusProfileChange(body), by: user)))
    }

    private func leave(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        try await service.profiles.delete(context.requireUser())
        return .noContent
    }

    private func message(_ profile: FocusProfileState) -> FocusProfile {
        let member = profile.member
        return FocusProfile(
            consent: profile.consent, nickname: profile.nickname, boards: profile.hasBoards,
            leagues: profile.hasLeagues, feed: profile.hasFeed, morning: profile.wantsMorning,
            goalMinutes: profile.goal.inForce(on: member.today),
            goalFromTomorrow: profile.goal.waiting(on: member.today)?.value,
            joinedAt: Date(instant: profile.joinedAt),
            appAccountToken: ResourceID(tokens.make(for: member.user.rawValue)))
    }
}

extension FocusProfileChange {
    /// - Throws: 400 that points at the faulty member.
    init(_ body: FocusProfileSettings) throws(Problem) {
        guard body.consent == FocusProfileService.consent else {
            throw .invalidRequest(
                pointer: "/consent", detail: "must be \"\(FocusProfileService.consent)\"")
        }
        if let nickname = body.nickname, nickname.wholeMatch(of: /[A-Za-z0-9_.]{3,30}/) == nil {
            throw .invalidRequest(
                pointer: "/nickname", detail: "must be 3 to 30 letters, digits, dots and underscores")
        }
        if let goal = body.goalMinutes, !(15...960).contains(goal) {
            throw .invalidRequest(pointer: "/goal_minutes", detail: "must be 15 to 960")
        }
        self.init(
            consent: body.consent, nickname: body.nickname, hasBoards: body.boards ?? true,
            hasLeagues: body.leagues ?? false, hasFeed: body.feed ?? false,
            wantsMorning: body.morning ?? false, goalMinutes: body.goalMinutes)
    }
}
