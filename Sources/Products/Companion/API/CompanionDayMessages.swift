import DaylyAPI
import Foundation

/// `GET /v1/companion/day` and `/v1/companion/days/{day}`: a day of the caller, and their cat on it.
public struct CompanionDay: Codable, Sendable, Equatable {
    /// The local date at its beginning.
    public var day: String
    public var beginsAt: Date
    public var endsAt: Date
    public var hp: Int
    /// The smallest of 0, 10, 20, 40, 60, 80 and 100 that is at least ``hp``.
    public var band: Int
    /// `healthy`, `concerned`, `tired`, `weak` or `dead`.
    public var state: String
    /// `playful`, `concerned`, `strained`, `faint` or `dead`; nil: the cat is silent.
    @Nullable public var tone: String?
    /// `green`, `orange` or `red`.
    public var colour: String
    /// The accepted ones.
    public var bypasses: Int
    /// The bands below 100 that the day has reached.
    public var drops: Int
    public var openSeconds: Int
    /// The last end of the windows that are open now.
    @Nullable public var openUntil: Date?
    /// The end of a day without hp.
    @Nullable public var lockedUntil: Date?
    @Nullable public var firstUseAt: Date?
    @Nullable public var lastUseAt: Date?
    public var limitMinutes: Int
    public var usedMinutes: Int
    /// Whether the used minutes are at most the limit.
    public var within: Bool
    /// The award of the closing; nil: the day is not closed, or it had no report.
    @Nullable public var energy: Int?

    public init(
        day: String, beginsAt: Date, endsAt: Date, hp: Int, band: Int, state: String, tone: String?,
        colour: String, bypasses: Int, drops: Int, openSeconds: Int, openUntil: Date?, lockedUntil: Date?,
        firstUseAt: Date?, lastUseAt: Date?, limitMinutes: Int, usedMinutes: Int, within: Bool, energy: Int?
    ) {
        self.day = day
        self.beginsAt = beginsAt
        self.endsAt = endsAt
        self.hp = hp
        self.band = band
        self.state = state
        self._tone = Nullable(wrappedValue: tone)
        self.colour = colour
        self.bypasses = bypasses
        self.drops = drops
        self.openSeconds = openSeconds
        self._openUntil = Nullable(wrappedValue: openUntil)
        self._lockedUntil = Nullable(wrappedValue: lockedUntil)
        self._firstUseAt = Nullable(wrappedValue: firstUseAt)
        self._lastUseAt = Nullable(wrappedValue: lastUseAt)
        self.limitMinutes = limitMinutes
        self.usedMinutes = usedMinutes
        self.within = within
        self._energy = Nullable(wrappedValue: energy)
    }

    enum CodingKeys: String, CodingKey {
        case day
        case beginsAt = "begins_at"
        case endsAt = "ends_at"
        case hp
        case band
        case state
        case tone
        case colour
        case bypasses
        case drops
        case openSeconds = "open_seconds"
        case openUntil = "open_until"
        case lockedUntil = "locked_until"
        case firstUseAt = "first_use_at"
        case lastUseAt = "last_use_at"
        case limitMinutes = "limit_minutes"
        case usedMinutes = "used_minutes"
        case within
        case energy
    }
}
