import FocusAPI
import DaylyClient
import DaylyAPI

/// Days, weeks, boards and leagues. Days are named like `2026-03-04`, weeks by the day of their Monday.
extension FocusRepository {
    /// The weeks with streaks, newest first, 50 at a time.
    ///
    /// - Parameter cursor: of the page before. When it is too old the error is `cursor_expired`: begin anew.
    public func weeks(after cursor: String? = nil) async throws(DaylyError) -> FocusWeekPage {
        try await calls.get(.listFocusWeeks, query: [("cursor", cursor)])
    }

    /// A week with its days.
    public func week(
        _ monday: String, unless version: EntityVersion? = nil
    ) async throws(DaylyError) -> Fetched<FocusWeek> {
        try await calls.getIfChanged(.getFocusWeek, path: [monday], unless: version)
    }

    /// A day with its streaks and screen time.
    public func day(
        _ day: String, unless version: EntityVersion? = nil
    ) async throws(DaylyError) -> Fetched<FocusDay> {
        try await calls.getIfChanged(.getFocusDay, path: [day], unless: version)
    }

    public enum Rating: String, Sendable, CaseIterable {
        case up, down
    }

    /// The user's judgement of a day with screen time.
    ///
    /// - Throws: `day_closed` more than 7 days after it.
    public func rate(_ day: String, _ rating: Rating) async throws(DaylyError) -> FocusDay {
        try await calls.get(.rateFocusDay, path: [day], json: FocusRating(rating: rating.rawValue))
    }

    /// The board of one of the user's groups.
    ///
    /// - Parameters:
    ///   - group: one of the user's groups.
    ///   - week: the user's current one unless given.
    ///   - version: of the board that the app has.
    public func board(
        of group: ResourceID, week: String? = nil, unless version: EntityVersion? = nil
    ) async throws(DaylyError) -> Fetched<FocusBoard> {
        try await calls.getIfChanged(
            .getFocusBoard, path: [group.description], query: [("week", week)], unless: version)
    }

    /// The user's league.
    ///
    /// - Throws: `not_found` without a seat in that week.
    public func league(
        week: String? = nil, unless version: EntityVersion? = nil
    ) async throws(DaylyError) -> Fetched<FocusLeague> {
        try await calls.getIfChanged(.getFocusLeague, query: [("week", week)], unless: version)
    }

    /// A short text for the moment at which today's screen time passes a threshold, a multiple of 30 from 30 to 960.
    public func quip(minutes: Int) async throws(DaylyError) -> FocusQuip {
        try await calls.get(.getFocusQuip, query: [("minutes", String(minutes))])
    }
}
