import CivilTime
import DeviceIntake
import FocusRules
import Testing

/// The user of the contract's examples.
let exampleUser = "0198a6e0-0000-7000-8000-000000000001"

/// A day like `2026-03-02`.
func day(_ text: String) -> DayNumber {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    return CivilDate(year: parts[0], month: parts[1], day: parts[2]).daysSince1970
}

/// An instant like `2026-03-02T09:00:00Z`.
func instant(_ text: String) -> Instant {
    day(String(text.prefix(10))) * secondsPerDay + clock(String(text.dropFirst(11).dropLast()))
}

/// The seconds of a time like `09:00` or `09:00:30`.
func clock(_ text: String) -> Int {
    let parts = text.split(separator: ":").compactMap { Int($0) } + [0]
    return parts[0] * 3_600 + parts[1] * 60 + parts[2]
}
