import CivilTime
import DeviceIntake
import FocusRules
import HTTPKit
import Hummingbird

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

/// The instant at which the boards and leagues of a week close: Monday after it, 17:00 UTC.
func focusClosesAt(_ week: DayNumber) -> Instant { (week + 7) * secondsPerDay + 17 * 3_600 }
