import DeviceIntake

/// A whole second, counted from the beginning of 1970 in UTC.
package typealias Instant = DeviceIntake.Instant

/// A day of the calendar, counted from 1970-01-01.
package typealias DayNumber = DeviceIntake.DayNumber

/// Points in whole hundredths.
package typealias Hundredths = Int

/// The Monday of a day's week. 1970-01-01 was a Thursday.
package func monday(of day: DayNumber) -> DayNumber {
    day - (weekday(of: day) - 1)
}

/// From 1 for Monday to 7 for Sunday.
package func weekday(of day: DayNumber) -> Int {
    let rest = (day + 3) % 7
    return (rest < 0 ? rest + 7 : rest) + 1
}
