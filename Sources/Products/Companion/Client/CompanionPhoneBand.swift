import CompanionRules

/// A band of hp, and the cat in it.
public struct CompanionPhoneBand: Hashable, Sendable {
    private let band: HealthBand

    /// The smallest band that is at least `hp`.
    public init(hp: Int) { band = HealthBand(hp: hp) }

    /// 0, 10, 20, 40, 60, 80 or 100.
    public var value: Int { band.rawValue }

    /// `healthy`, `concerned`, `tired`, `weak` or `dead`.
    public var state: String { band.state.rawValue }

    /// `playful`, `concerned`, `strained`, `faint` or `dead`; nil: the cat is silent.
    public var tone: String? { band.tone?.rawValue }

    /// `green`, `orange` or `red`.
    public var colour: String { band.colour.rawValue }

    /// The bands below 100 that a day has reached on its way here.
    public var drops: Int { band.drops }
}
