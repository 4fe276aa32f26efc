import DeviceIntake

/// A whole second, counted from the beginning of 1970 in UTC.
package typealias Instant = DeviceIntake.Instant

/// A day of the calendar, counted from 1970-01-01.
package typealias DayNumber = DeviceIntake.DayNumber

package let secondsPerMinute = 60
package let secondsPerHour = 3_600

/// A thousandth, the unit of buffs.
package typealias Thousandths = Int
