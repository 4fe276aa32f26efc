/// A whole second, counted from the beginning of 1970 in UTC.
package typealias Instant = Int

/// A day of the calendar, counted from 1970-01-01.
package typealias DayNumber = Int

/// Points in whole hundredths.
package typealias Hundredths = Int
