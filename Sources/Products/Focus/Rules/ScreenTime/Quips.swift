import DeviceIntake

/// Short texts for the moments at which the screen time of a day passes a threshold.
package enum Quips {
    /// From 30 minutes to 16 hours.
    package static let thresholds = Array(stride(from: 30, through: 960, by: 30))
    package static let textsPerThreshold = 4

    /// The number of the text, from 0, that a user gets on a day.
    /// - Parameter user: the user's id in lower case.
    package static func number(user: String, day: DayNumber, minutes: Int) -> Int {
        Draw(.text(user), .day(day), .number(minutes)).index(of: textsPerThreshold)
    }
}
