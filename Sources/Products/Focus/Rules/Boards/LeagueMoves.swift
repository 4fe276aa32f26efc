/// The tiers of leagues, the lowest first. The raw values are those of the API.
package enum Tier: String, CaseIterable, Sendable {
    case bronze, silver, gold, platinum, diamond

    package var above: Tier { moved(by: 1) }
    package var below: Tier { moved(by: -1) }

    private func moved(by step: Int) -> Tier {
        guard let index = Tier.allCases.firstIndex(of: self), Tier.allCases.indices.contains(index + step)
        else { return self }
        return Tier.allCases[index + step]
    }
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
