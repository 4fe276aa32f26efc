/// The limit of phone use, in minutes. A lower one holds at once, a higher one from the next day on.
package struct DailyLimit: Hashable, Sendable {
    /// The limit of the running day.
    package private(set) var today: Int
    /// The limit that was set last.
    package private(set) var tomorrow: Int

    /// The limits that an owner may set.
    package static let bounds = 15...960

    /// The limit at joining.
    package init(_ minutes: Int) {
        self.init(today: minutes, tomorrow: minutes)
    }

    package init(today: Int, tomorrow: Int) {
        self.today = today
        self.tomorrow = tomorrow
    }

    package mutating func set(_ minutes: Int) {
        today = min(today, minutes)
        tomorrow = minutes
    }

    package mutating func beginNextDay() {
        today = tomorrow
    }
}
