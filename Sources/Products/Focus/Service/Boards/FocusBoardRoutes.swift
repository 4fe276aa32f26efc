import FocusAPI
import CivilTime
import DaylyAPI
import DeviceIntake
import FeatureKit
import FocusRules
import Foundation
import Groups
import HTTPKit
import Hummingbird

/// `/v1/focus/groups/{id}/board`.
struct FocusBoardRoutes: Sendable {
    var routes: [Route] { [Route(.get, "focus/groups/:id/board", .reads, use: show)] }

    private func show(_ request: Request, _ context: AppContext) async throws -> ConditionalJSON<FocusBoard> {
        let (caller, group) = (try context.requireCaller(), try context.requireID("id", as: GroupID.self))
        let week = try request.focusWeek()
        let read = try await caller.query { FocusBoardStore.reading(group, week: week, for: $0) }
        return ConditionalJSON(FocusBoard(try FocusBoardStore.board(read.rows), for: read.user))
    }
}

extension FocusBoard {
    init(_ board: FocusBoardState, for user: UserID) {
        self.init(
            week: isoText(day: board.week), closed: board.isClosed,
            closesAt: Date(instant: board.closesAt),
            entries: board.entries.map { entry in
                FocusBoardEntry(
                    rank: entry.rank, userID: entry.user.resourceID, firstName: entry.firstName,
                    points: Double(points: entry.figures.points), streakCount: entry.figures.streakCount,
                    longestStreak: entry.figures.longestStreak, estimated: entry.figures.isEstimated,
                    trackingStatus: entry.status, syncedAt: entry.syncedAt.map(Date.init(instant:)),
                    isMe: entry.user == user)
            })
    }
}

extension Request {
    /// The week that the query asks for; nil: the caller's current one.
    ///
    /// - Throws: 400 unless it is a Monday.
    func focusWeek() throws(Problem) -> DayNumber? {
        guard let text = uri.queryParameters["week"] else { return nil }
        guard let day = CivilDate.dayNumber(String(text)), monday(of: day) == day else {
            throw .invalidRequest("The week must be the date of a Monday, such as 2026-03-02.")
        }
        return day
    }
}
