/// A member of a group's board with the figures that decide the rank.
package struct BoardMember<ID: Comparable & Sendable>: Sendable {
    package let id: ID
    package let points: Hundredths
    /// In seconds.
    package let longestStreak: Int

    package init(id: ID, points: Hundredths, longestStreak: Int) {
        self.id = id
        self.points = points
        self.longestStreak = longestStreak
    }
}

/// The members in the order of the board, each with a rank. Members with equal figures share a rank, and the rank after
/// them skips the shared places.
package func boardRanks<ID>(_ members: [BoardMember<ID>]) -> [(rank: Int, member: BoardMember<ID>)] {
    let order = members.sorted { left, right in
        if left.points != right.points { return left.points > right.points }
        if left.longestStreak != right.longestStreak { return left.longestStreak > right.longestStreak }
        return left.id < right.id
    }
    var rank = 0
    return order.indices.map { place in
        let member = order[place]
        let isShared =
            place > 0 && order[place - 1].points == member.points
            && order[place - 1].longestStreak == member.longestStreak
        if !isShared { rank = place + 1 }
        return (rank, member)
    }
}
