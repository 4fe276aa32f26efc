import DaylyAPI
import Foundation

/// A promise to stay away from the phone for a time.
public struct FocusSession: Codable, Sendable {
    public var id: ResourceID
    @Nullable public var name: String?
    @Nullable public var emoji: String?
    public var goalMinutes: Int
    /// `allow_list` or `block_list`.
    public var mode: String
    /// Whether the session cannot end before its goal.
    public var beastMode: Bool
    @Nullable public var scheduleID: ResourceID?
    /// The date of the schedule.
    @Nullable public var date: String?
    /// `running`, `completed`, `gave_up`, `canceled` or `lost`.
    public var state: String
    public var startedAt: Date
    public var goalEndsAt: Date
    /// This member and the following ones are null while the session runs.
    @Nullable public var endedAt: Date?
    @Nullable public var elapsedSeconds: Int?
    @Nullable public var extraSeconds: Int?
    @Nullable public var xp: Int?
    @Nullable public var coins: Int?

    public init(
        id: ResourceID, name: String?, emoji: String?, goalMinutes: Int, mode: String, beastMode: Bool,
        scheduleID: ResourceID?, date: String?, state: String, startedAt: Date, goalEndsAt: Date,
        endedAt: Date?, elapsedSeconds: Int?, extraSeconds: Int?, xp: Int?, coins: Int?
    ) {
        self.id = id
        self._name = Nullable(wrappedValue: name)
        self._emoji = Nullable(wrappedValue: emoji)
        self.goalMinutes = goalMinutes
        self.mode = mode
        self.beastMode = beastMode
        self._scheduleID = Nullable(wrappedValue: scheduleID)
        self._date = Nullable(wrappedValue: date)
        self.state = state
        self.startedAt = startedAt
        self.goalEndsAt = goalEndsAt
        self._endedAt = Nullable(wrappedValue: endedAt)
        self._elapsedSeconds = Nullable(wrappedValue: elapsedSeconds)
        self._extraSeconds = Nullable(wrappedValue: extraSeconds)
        self._xp = Nullable(wrappedValue: xp)
        self._coins = Nullable(wrappedValue: coins)
    }

    enum CodingKeys: String, CodingKey {
        case id
        case name
        case emoji
        case goalMinutes = "goal_minutes"
        case mode
        case beastMode = "beast_mode"
        case scheduleID = "schedule_id"
        case date
        case state
        case startedAt = "started_at"
        case goalEndsAt = "goal_ends_at"
        case endedAt = "ended_at"
        case elapsedSeconds = "elapsed_seconds"
        case extraSeconds = "extra_seconds"
        case xp
        case coins
    }
}
