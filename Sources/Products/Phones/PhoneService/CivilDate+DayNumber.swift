import CivilTime
import DeviceIntake
import Postgres

extension CivilDate {
    /// A day of a path, a query or a member: `YYYY-MM-DD`.
    package static func dayNumber(_ text: String) -> DayNumber? {
        guard text.utf8.count == 10, let date = CivilDate(text) else { return nil }
        return date.daysSince1970
    }
}
