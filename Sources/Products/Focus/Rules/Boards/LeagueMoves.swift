/// The tiers of leagues, the lowest first. The raw values are those of the API.
package enum Tier: String, CaseIterable, Sendable {
    case bronze, silver, gold, platinum, diamond
}

/// The numbers of members that rise and fall at the close of a league.
package struct LeagueMoves: Hashable, Sendable {
    package let rises: Int
    package let falls: Int

    package init(seats: Int, tier: Tier) {
        let moving = min(7, seats / 4)
        rises = tier == .diamond ? 0 : moving
        falls = tier == .bronze ? 0 : moving
    }
}
