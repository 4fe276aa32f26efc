import CompanionRules
import DeviceIntake

/// The days of an account that the events of a sync may change: the running one and those before it, without a gap.
struct CompanionDayBook: Sendable {
    /// Days with names up to this much below the running day's are loaded. Events are at most 7 days old, no day lasts longer
    /// than three, and a text or an award also looks at the day before.
    static let loadedNames = 14

    private let joinedAt: Instant
    /// The oldest first.
    private(set) var days: [CompanionDayState]
    /// The places of the days that have changed.
    private var changedPlaces: Set<Int> = []
    /// The days that had no event before the sync.
    private let quiet: Set<DayNumber>

    /// - Parameter days: not empty, the oldest first.
    init(joinedAt: Instant, days: [CompanionDayState]) {
        self.joinedAt = joinedAt
        self.days = days
        quiet = Set(days.filter { !$0.figures.hasEvents }.map(\.day))
    }

    subscript(_ place: Int) -> CompanionDayState {
        get { days[place] }
        set {
            guard newValue != days[place] else { return }
            days[place] = newValue
            changedPlaces.insert(place)
        }
    }

    var changed: [CompanionDayState] { changedPlaces.sorted().map { days[$0] } }

    /// The days whose first event has come after the time of their evening's push message.
    func begunAfterNightly(by now: Instant) -> [DayNumber] {
        changed.filter {
            $0.figures.hasEvents && quiet.contains($0.day) && now >= $0.figures.times.nightlyPushAt
        }.map(\.day)
    }

    /// The instants of days that texts show.
    var shownInstants: [Instant] {
        days.flatMap { [$0.figures.firstUseAt, $0.figures.lastUseAt].compactMap { $0 } }
    }

    /// The place of the day that holds an instant; nil before joining.
    func place(holding instant: Instant) -> Int? {
        days.lastIndex { $0.figures.times.beginsAt <= instant }
    }

    func place(of day: DayNumber) -> Int? { days.firstIndex { $0.day == day } }

    /// The day that ended when another began; nil before the first day.
    func dayBefore(_ place: Int) -> CompanionDayState? { place > 0 ? days[place - 1] : nil }

    func isFirst(_ place: Int) -> Bool { days[place].figures.times.beginsAt == joinedAt }

    /// Adds the parts of a window that lie within days, or takes those of an earlier form of it off.
    mutating func count(_ window: BypassWindow, insteadOf earlier: BypassWindow? = nil) {
        for place in days.indices {
            let times = days[place].figures.times
            let added = window.seconds(within: times) - (earlier?.seconds(within: times) ?? 0)
            if added != 0 { self[place].figures.openSeconds += added }
        }
    }
}
