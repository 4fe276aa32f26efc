import DaylyAPI
import Foundation

/// `POST /v1/focus/schedules` and `PUT /v1/focus/schedules/{id}`.
public struct FocusScheduleSettings: Codable, Sendable {
    public var name: String?
    public var emoji: String?
    /// Local times, `HH:MM`. A `to` that is not after `from` is on the next day.
    public var from: String
    public var to: String
    /// On which it begins: 1 is Monday.
    public var weekdays: [Int]
    /// `allow_list` or `block_list`.
    public var mode: String
    /// Needs Focus Pro.
    public var beastMode: Bool?

    public init(
        name: String?, emoji: String?, from: String, to: String, weekdays: [Int], mode: String,
        beastMode: Bool?
    ) {
        self.name = name
        self.emoji = emoji
        self.from = from
        self.to = to
        self.weekdays = weekdays
        self.mode = mode
        self.beastMode = beastMode
    }

    enum CodingKeys: String, CodingKey {
        case name
        case emoji
        case from
        case to
        case weekdays
        case mode
        case beastMode = "beast_mode"
    }
}

/// Local times at which the phone starts a session by itself.
public struct FocusSchedule: Codable, Sendable {
    public var id: ResourceID
    @Nullable public var name: String?
    @Nullable public var emoji: String?
    public var from: String
    public var to: String
    public var weekdays: [Int]
    public var mode: String
    public var beastMode: Bool
    /// The next beginning.
    @Nullable public var nextAt: Date?

    public init(
        id: ResourceID, name: String?, emoji: String?, from: String, to: String, weekdays: [Int],
        mode: String, beastMode: Bool, nextAt: Date?
    ) {
        self.id = id
        self._name = Nullable(wrappedValue: name)
        self._emoji = Nullable(wrappedValue: emoji)
        self.from = from
        self.to = to
        self.weekdays = weekdays
        self.mode = mode
        self.beastMode = beastMode
        self._nextAt = Nullable(wrappedValue: nextAt)
    }

    enum CodingKeys: String, CodingKey {
        case id
        case name
        case emoji
        case from
        case to
        case weekdays
        case mode
        case beastMode = "beast_mode"
        case nextAt = "next_at"
    }
}

/// `GET /v1/focus/schedules`: oldest first.
public struct FocusScheduleList: Codable, Sendable {
    public var schedules: [FocusSchedule]

    public init(schedules: [FocusSchedule]) {
        self.schedules = schedules
    }
}
