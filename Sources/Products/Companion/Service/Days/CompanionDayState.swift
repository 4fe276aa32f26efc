import CompanionRules

/// A day of an account: its figures, and the figures' fate.
struct CompanionDayState: Sendable, Equatable {
    var figures: DayFigures
    /// The time of the bypass that brought the hp to 0.
    var terminalAt: Instant?
    /// When the day was closed; nil: it takes reports.
    var closedAt: Instant?
    /// The award of the closing, also 0; nil: the day is not closed, or it had no report.
    var energy: Int?
    /// Whether the summary may still be written by itself.
    var isSummaryOpen = true

    var day: DayNumber { figures.day }

    /// A day on which nothing has happened.
    init(day: DayNumber, times: DayTimes, limitMinutes: Int) {
        figures = DayFigures(day: day, times: times, limitMinutes: limitMinutes)
    }
}
