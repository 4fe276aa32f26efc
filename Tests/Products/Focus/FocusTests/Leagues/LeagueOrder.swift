import DeviceIntake
import FocusRules
import Testing

extension Tier {
    fileprivate var above: Tier { moved(by: 1) }
    fileprivate var below: Tier { moved(by: -1) }

    private func moved(by step: Int) -> Tier {
        guard let index = Tier.allCases.firstIndex(of: self), Tier.allCases.indices.contains(index + step)
        else { return self }
        return Tier.allCases[index + step]
    }
}

struct LeagueMember<ID: Comparable & Sendable>: Sendable {
    let id: ID
    let points: Int
    let xp: Int
    let seatedAt: Instant
}

/// The members of a league in its order, each with the tier of the next week. Places are never shared. The close of a week does
/// the same in one statement for many leagues (`FocusLeagueStore.close`).
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

@Suite("The order of a league by the rules")
struct LeagueOrderTests {
    @Test(
        "L2: one league",
        arguments: [
            (
                .silver,
                [("a", 100, 10, 9), ("b", 100, 25, 10), ("c", 100, 10, 8), ("d", 5, 5, 7)],
                "b gold, c silver, a silver, d bronze"
            ),
            (
                .bronze, [("b", 8, 8, 9), ("a", 8, 8, 9), ("c", 3, 3, 8), ("d", 3, 3, 7)],
                "a silver, b bronze, d bronze, c bronze"
            ),
        ] as [(Tier, [(String, Int, Int, Int)], String)])
    func league(tier: Tier, members: [(String, Int, Int, Int)], wanted: String) {
        let order = leagueOrder(
            members.map { LeagueMember(id: $0.0, points: $0.1, xp: $0.2, seatedAt: $0.3) }, tier: tier)
        #expect(order.map { "\($0.member.id) \($0.nextTier)" }.joined(separator: ", ") == wanted)
    }

    @Test("tiers end at bronze and diamond")
    func tiers() {
        #expect(Tier.bronze.below == .bronze)
        #expect(Tier.diamond.above == .diamond)
        #expect(Tier.gold.above == .platinum)
        #expect(Tier.gold.below == .silver)
    }
}
