import FocusAPI
import DaylyAPI
import DeviceIntake
import FeatureKit
import FocusRules
import Foundation
import HTTPKit
import Hummingbird
import PhoneService
import Postgres

/// `/v1/focus/sessions` and `/v1/focus/stats`.
struct FocusSessionRoutes: Sendable {
    private static let listName = "sessions"

    let service: FocusSessionService
    let cursors: FocusCursors

    var routes: [Route] {
        [
            Route(.get, "focus/sessions", use: list),
            Route(.post, "focus/sessions", use: start),
            Route(.get, "focus/sessions/:id", use: get),
            Route(.post, "focus/sessions/:id/end", use: end),
            Route(.get, "focus/stats", use: stats),
        ]
    }

    private func list(
        _ request: Request, _ context: AppContext
    ) async throws -> ConditionalJSON<FocusSessionList> {
        let user = try context.requireUser()
        let place = try request.uri.queryParameters["cursor"].map { text in
            try FocusSessionPlace(cursors.parts(of: String(text), Self.listName, for: user))
        }
        let page = try await service.list(of: user, before: place)
        let next = page.last.map { cursors.text(FocusSessionPlace($0).parts, of: Self.listName, for: user) }
        return ConditionalJSON(FocusSessionList(sessions: page.entries.map(FocusSession.init), cursor: next))
    }

    private func start(_ request: Request, _ context: AppContext) async throws -> Reply<FocusSession> {
        let user = try context.requireUser()
        let (body, call) = try await request.decodeRepeatableJSON(FocusNewSession.self, context: context)
        return try await service.start(try FocusSessionDraft(body), call, by: user).reply(FocusSession.init)
    }

    private func get(_ request: Request, _ context: AppContext) async throws -> ConditionalJSON<FocusSession>
    {
        let user = try context.requireUser()
        return ConditionalJSON(FocusSession(try await service.get(context.requireID("id"), of: user)))
    }

    private func end(_ request: Request, _ context: AppContext) async throws -> Reply<FocusSession> {
        let (user, id) = (try context.requireUser(), try context.requireID("id", as: FocusSessionID.self))
        let body = try await request.decodeJSONIfPresent(FocusSessionEnd.self, context: context)
        guard (body?.endedAt == nil) == (body?.clientTime == nil) else {
            throw InputFault("/client_time", "is needed with ended_at, and only with it")
        }
        let report = body?.endedAt.flatMap { end in body?.clientTime.map { (end.instant, $0.instant) } }
        return Reply(FocusSession(try await service.end(id, report, by: user)))
    }

    private func stats(_ request: Request, _ context: AppContext) async throws -> ConditionalJSON<FocusStats>
    {
        let (days, record) = try await service.statistics(of: context.requireUser())
        return ConditionalJSON(
            FocusStats(
                days: days.map {
                    FocusStats.Day(day: isoText(day: $0.day), completed: $0.completed, seconds: $0.seconds)
                },
                record: record.map { FocusStats.Record(day: isoText(day: $0.day), seconds: $0.seconds) }))
    }
}

extension FocusSession {
    init(_ session: FocusSessionState) {
        self.init(
            id: session.id.resourceID, name: session.name, emoji: session.emoji,
            goalMinutes: session.goalMinutes, mode: session.mode.rawValue, beastMode: session.isBeastMode,
            scheduleID: session.schedule?.id.resourceID, date: session.schedule.map { isoText(day: $0.date) },
            state: session.state.rawValue, startedAt: Date(instant: session.startedAt),
            goalEndsAt: Date(instant: session.goalEndsAt), endedAt: session.end?.at.map(Date.init(instant:)),
            elapsedSeconds: session.elapsedSeconds, extraSeconds: session.extraSeconds, xp: session.end?.xp,
            coins: session.end?.xp)
    }
}
