import FocusAPI
import DaylyAPI
import DeviceIntake
import FeatureKit
import FocusRules
import Foundation
import HTTPKit
import Hummingbird
import Postgres

/// `/v1/focus/league`.
struct FocusLeagueRoutes: Sendable {
    var routes: [Route] { [Route(.get, "focus/league", .reads, use: show)] }

    private func show(
        _ request: Request, _ context: AppContext
    ) async throws -> ConditionalJSON<FocusLeague> {
        let (caller, week) = (try context.requireCaller(), try request.focusWeek())
        let read = try await caller.query { FocusLeagueStore.reading(week: week, for: $0) }
        return ConditionalJSON(try FocusLeague(read.rows, for: read.user))
    }
}

extension FocusLeague {
    /// - Throws: `FocusError.notJoined`; `.notFound` without a seat.
    fileprivate init(_ rows: [PostgresRow], for user: UserID) throws {
        guard let first = rows.first, try first.get("is_joined") else { throw FocusError.notJoined }
        guard let number: Int = try first.get("tier", as: Int?.self) else { throw FocusError.notFound }
        let (tier, week) = (Tier.allCases[number], try first.get("week", as: Int.self))
        let isClosed: Bool = try first.get("is_closed")
        let moves = LeagueMoves(seats: isClosed ? try first.get("seats") : rows.count, tier: tier)
        self.init(
            week: isoText(day: week), tier: tier.rawValue, closed: isClosed,
            closesAt: Date(instant: try first.get("closes_at")), rises: moves.rises, falls: moves.falls,
            entries: try rows.enumerated().map { index, row in
                FocusLeagueEntry(
                    rank: try row.get("place", as: Int?.self) ?? index + 1, nickname: try row.get("nickname"),
                    points: try row.get("points"), xp: try row.get("xp"),
                    isMe: try row.get("user_id", as: UserID.self) == user)
            })
    }
}
