import CivilTime
import CompanionRules
import DeviceIntake

/// The user of the contract's examples.
let exampleUser = "0198a6e0-0000-7000-8000-000000000001"

/// A day like `2026-03-02`.
func day(_ text: some StringProtocol) -> DayNumber {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    return CivilDate(year: parts[0], month: parts[1], day: parts[2]).daysSince1970
}

/// The seconds of a time like `09:00` or `09:00:30`.
func clock(_ text: some StringProtocol) -> Int {
    let parts = text.split(separator: ":").compactMap { Int($0) } + [0]
    return parts[0] * 3_600 + parts[1] * 60 + parts[2]
}

/// An instant like `2026-03-02 09:00 +1`, with the hours that the local clock is ahead of UTC.
func instant(_ text: String) -> Instant {
    let parts = text.split(separator: " ")
    return day(parts[0]) * secondsPerDay + clock(parts[1]) - (Int(parts[2]) ?? 0) * secondsPerHour
}

/// From 1 for Monday to 7 for Sunday. 1970-01-01 was a Thursday.
func weekday(of day: DayNumber) -> Int { (day + 3) % 7 + 1 }

/// The days of the examples in Europe/Berlin: day 1 is 2026-03-02.
enum Berlin {
    static let firstDay = day("2026-03-02")

    static func midnight(of number: Int) -> Instant {
        (firstDay + number - 1) * secondsPerDay - secondsPerHour
    }

    /// The time of `1 09:00`.
    static func instant(_ number: Int, _ time: some StringProtocol) -> Instant {
        midnight(of: number) + clock(time)
    }

    static func figures(_ number: Int, limit: Int = 120) -> DayFigures {
        DayFigures(
            day: firstDay + number - 1,
            times: DayTimes(beginsAt: midnight(of: number), endsAt: midnight(of: number + 1)),
            limitMinutes: limit)
    }
}
