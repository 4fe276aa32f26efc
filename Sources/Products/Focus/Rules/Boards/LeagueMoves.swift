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

package struct LeagueMember<ID: Comparable & Sendable>: Sendable {
    package let id: ID
    package let points: Int
    package let xp: Int
    package let seatedAt: Instant

    package init(id: ID, points: Int, xp: Int, seatedAt: Instant) {
        self.id = id
        self.points = points
        self.xp = xp
        self.seatedAt = seatedAt
    }
}

/// The members of a league in its order, each with the tier of the next week. Places are never shared. The close of a week does
/// the same in one statement for many leagues (`FocusLeagueStore.close`), and tests compare the two.
package func leagueOrder<ID>(
    _ members: [LeagueMember<ID>], tier: Tier
) -> [(member: LeagueMember<ID>, nextTier: Tier)] {
    let order = members.sorted { left, right in
        if left.points != right.points { return left.points > right.points }
        if left.xp != right.xp { return left.xp > right.xp }
        if left.seatedAt != right.seatedAt { return left.seatedAt < right.seatedAt }
        return left.id < right.id
    }
    let moves = LeagueMoves(seats: order.count, tier: tier)
    return order.indices.map { place in
        if place < moves.rises { return (order[place], tier.above) }
        return (order[place], place >= order.count - moves.falls ? tier.below : tier)
    }
}
