import DaylyClient

/// A band of hp, and the cat in it.
public struct CompanionPhoneBand: Hashable, Sendable {
    /// 0, 10, 20, 40, 60, 80 or 100.
    public let value: Int

    private static let values = [0, 10, 20, 40, 60, 80, 100]

    /// The smallest band that is at least `hp`.
    public init(hp: Int) {
        value = Self.values.first { $0 >= hp } ?? 100
    }

    /// `healthy`, `concerned`, `tired`, `weak` or `dead`.
    public var state: String {
        switch value {
        case 80...: "healthy"
        case 60...: "concerned"
        case 40...: "tired"
        case 10...: "weak"
        default: "dead"
        }
    }

    /// `playful`, `concerned`, `strained`, `faint` or `dead`; nil: the cat is silent.
    public var tone: String? {
        switch value {
        case 100...: nil
        case 80...: "playful"
        case 60...: "concerned"
        case 40...: "strained"
        case 10...: "faint"
        default: "dead"
        }
    }

    /// `green`, `orange` or `red`.
    public var colour: String {
        switch value {
        case 80...: "green"
        case 40...: "orange"
        default: "red"
        }
    }

    /// The bands below 100 that a day has reached on its way here.
    public var drops: Int { Self.values.count { $0 >= value && $0 < 100 } }
}
