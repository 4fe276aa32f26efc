import DeviceIntake
import FocusRules

/// The instant at which the boards and leagues of a week close: Monday after it, 17:00 UTC.
func focusClosesAt(_ week: DayNumber) -> Instant { (week + 7) * secondsPerDay + 17 * 3_600 }
