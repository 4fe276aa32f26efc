import DeviceIntake
import FocusRules

/// Everything of a user that a sync decides by, and that `GET /now` shows.
struct FocusUserState: Sendable {
    let member: FocusMember
    /// The phones by number, without deleted ones.
    var devices: [FocusDeviceState]
    var history: StreakHistory
    var usage: FocusUsageState
    var limits: FocusSyncLimits
    /// The latest local day of an event; nil before the first.
    var reachedOn: DayNumber?
    /// The number of the user's newest phone, which may be deleted.
    let lastDeviceNumber: DeviceNumber
    let tier: Tier
    /// Whether the boards of the user's groups list the user.
    let hasBoards: Bool
    let isInLeagues: Bool
    /// The local day of `now`, without its end.
    let today: Range<Instant>
    /// The new events of phones that have been deleted since, on the UTC day of `now`. It is read for a sync only.
    var eventsOfDeletedDevices = 0

    /// The new events of all phones but one on the UTC day of `now`.
    func events(exceptOf device: FocusDeviceState) -> Int {
        let day = utcDay(of: member.now)
        return devices.filter { $0.number != device.number && $0.intake.countedDay == day }
            .reduce(eventsOfDeletedDevices) { $0 + $1.intake.countOfDay }
    }

    mutating func take(_ intake: FocusIntake) {
        usage = intake.usage
        reachedOn = intake.reachedOn
        let number = intake.device.number
        if let index = devices.firstIndex(where: { $0.number == number }) { devices[index] = intake.device }
    }

    var status: DeviceStatus { trackingStatus(of: devices.map(\.health.status)) }
}

/// The local days of instants near `now`, in the user's zone.
struct FocusLocalDays: Sendable {
    /// The day numbers with their first instants, in order. The last one is the end of the last day.
    private var begins: [(day: DayNumber, at: Instant)]

    init(today: DayNumber, _ range: Range<Instant>) {
        begins = [(today, range.lowerBound), (today + 1, range.upperBound)]
    }

    /// The first instant whose day is known.
    var first: Instant { begins[0].at }

    /// - Parameter earlier: earlier days with their first instants, in order.
    mutating func add(_ earlier: [(day: DayNumber, at: Instant)]) {
        begins = earlier + begins
    }

    /// The local day of an instant that is not before `first`.
    func day(of instant: Instant) -> DayNumber {
        begins.last { $0.at <= instant }?.day ?? begins[0].day
    }
}
