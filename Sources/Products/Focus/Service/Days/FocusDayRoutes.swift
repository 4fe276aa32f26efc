import FocusAPI
import CivilTime
import DaylyAPI
import DeviceIntake
import FeatureKit
import FocusRules
import Foundation
import HTTPKit
import Hummingbird
import Postgres

/// `/v1/focus/now`, `/weeks`, `/days` and `/quips`.
struct FocusDayRoutes: Sendable {
    let service: FocusDayService
    let now: FocusNowReader
    let settings: FocusSettings

    var routes: [Route] {
        [
            Route(.get, "focus/now", use: showNow),
            Route(.get, "focus/weeks", use: listWeeks),
            Route(.get, "focus/weeks/:monday", use: showWeek),
            Route(.get, "focus/days/:day", use: showDay),
            Route(.put, "focus/days/:day/rating", use: rate),
            Route(.get, "focus/quips", use: showQuip),
        ]
    }

    private func showNow(_ request: Request, _ context: AppContext) async throws -> ConditionalJSON<FocusNow>
    {
        ConditionalJSON(FocusNow(try await now.require(context.requireUser())))
    }

    private func listWeeks(
        _ request: Request, _ context: AppContext
    ) async throws -> ConditionalJSON<FocusWeekPage> {
        let user = try context.requireUser()
        let cursor = try request.uri.queryParameters["cursor"].map { try Self.cursor(String($0)) }
        let page = try await service.weeks(of: user, before: cursor)
        return ConditionalJSON(
            FocusWeekPage(
                weeks: page.weeks.map { FocusWeek($0.week, $0.figures) },
                cursor: page.next.map { isoText(day: $0) }))
    }

    private func showWeek(
        _ request: Request, _ context: AppContext
    ) async throws -> ConditionalJSON<FocusWeek> {
        let (user, monday) = (try context.requireUser(), try Self.day(context, "monday"))
        let week = try await service.week(monday, of: user)
        return ConditionalJSON(
            FocusWeek(
                monday, week.figures,
                days: week.days.map { FocusDay($0, closedThrough: week.closedThrough) }))
    }

    private func showDay(_ request: Request, _ context: AppContext) async throws -> ConditionalJSON<FocusDay>
    {
        let (user, day) = (try context.requireUser(), try Self.day(context, "day"))
        return ConditionalJSON(message(try await service.day(day, of: user)))
    }

    private func rate(_ request: Request, _ context: AppContext) async throws -> Reply<FocusDay> {
        let (user, day) = (try context.requireUser(), try Self.day(context, "day"))
        let body = try await request.decodeJSON(FocusRating.self, context: context)
        guard ["up", "down"].contains(body.rating) else {
            throw Problem.invalidRequest(pointer: "/rating", detail: "must be up or down")
        }
        return Reply(message(try await service.rate(day, of: user, isUp: body.rating == "up")))
    }

    private func showQuip(
        _ request: Request, _ context: AppContext
    ) async throws -> ConditionalJSON<FocusQuip> {
        let user = try context.requireUser()
        let today = try await service.postgres.transaction { tx in
            try service.members.require(tx, user).today
        }
        guard let minutes = request.uri.queryParameters["minutes"].flatMap({ Int(String($0)) }) else {
            throw Self.noThreshold
        }
        let number = Quips.number(user: user.resourceID.description, day: today, minutes: minutes)
        guard let text = FocusTexts.quip(minutes: minutes, number: number) else { throw Self.noThreshold }
        return ConditionalJSON(
            FocusQuip(day: isoText(day: today), minutes: minutes, number: number, text: text))
    }

    private static var noThreshold: Problem {
        .invalidRequest("The query needs minutes: 30, 60, … up to 960.")
    }

    private func message(_ day: FocusDayService.Day) -> FocusDay {
        let streaks = day.state.streaks ?? DayStreaks(day: day.state.day, streaks: [])
        return FocusDay(
            day.state, closedThrough: day.closedThrough,
            streaks: Nullable(
                wrappedValue: day.hasStreaks
                    ? FocusStreak.all(of: streaks, counted: settings.countedStreaks) : nil))
    }

    private static func day(_ context: AppContext, _ name: String) throws -> DayNumber {
        guard let day = CivilDate.dayNumber(try context.requireParameter(name)) else {
            throw FocusError.notFound
        }
        return day
    }

    private static func cursor(_ text: String) throws -> DayNumber {
        guard let week = CivilDate.dayNumber(text), monday(of: week) == week else {
            throw FocusError.cursorExpired
        }
        return week
    }
}
