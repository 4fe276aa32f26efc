import FocusRules

/// The measure of a league's close.
struct LeagueMember<ID: Comparable & Sendable>: Sendable {
    let id: ID
    let points: Int
    let xp: Int
    let seatedAt: Instant
}

/// The members of a league in its order, each with the tier of the next week. Places are never shared. The close of a week does
/// it in one statement for many leagues (`FocusLeagueStore.close`).
func leagueOrder<ID>(
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
