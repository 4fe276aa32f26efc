import DaylyAPI
import Foundation

/// `POST /v1/focus/intentions` and `PUT /v1/focus/intentions/{id}`.
public struct FocusIntentionSettings: Codable, Sendable {
    public var label: String
    /// The wanted opens a day, 1 to 50.
    public var opens: Int
    /// For each time, 1 to 60.
    public var minutes: Int

    public init(label: String, opens: Int, minutes: Int) {
        self.label = label
        self.opens = opens
        self.minutes = minutes
    }
}

/// A limit of the opens of an app. Which app it is stays on the phone.
public struct FocusIntention: Codable, Sendable {
    public var id: ResourceID
    public var label: String
    /// In force today.
    public var opens: Int
    public var minutes: Int
    /// The limit that holds from tomorrow on.
    @Nullable public var opensFromTomorrow: Int?
    /// Today's opens.
    public var used: Int
    public var streak: Int
    public var best: Int
    /// Whether the user has frozen today.
    public var frozen: Bool

    public init(
        id: ResourceID, label: String, opens: Int, minutes: Int, opensFromTomorrow: Int?, used: Int,
        streak: Int, best: Int, frozen: Bool
    ) {
        self.id = id
        self.label = label
        self.opens = opens
        self.minutes = minutes
        self._opensFromTomorrow = Nullable(wrappedValue: opensFromTomorrow)
        self.used = used
        self.streak = streak
        self.best = best
        self.frozen = frozen
    }

    enum CodingKeys: String, CodingKey {
        case id
        case label
        case opens
        case minutes
        case opensFromTomorrow = "opens_from_tomorrow"
        case used
        case streak
        case best
        case frozen
    }
}

/// `GET /v1/focus/intentions`: oldest first.
public struct FocusIntentionList: Codable, Sendable {
    public var intentions: [FocusIntention]

    public init(intentions: [FocusIntention]) {
        self.intentions = intentions
    }
}

/// `POST /v1/focus/freeze`: the day on which all streaks are kept.
public struct FocusFrozenDay: Codable, Sendable {
    public var day: String

    public init(day: String) {
        self.day = day
    }
}
