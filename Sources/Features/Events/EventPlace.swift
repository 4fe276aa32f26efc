import FeatureKit
import Groups

/// Where a client is in the logs of its user's groups.
struct EventPlace: Sendable {
    /// What the client has seen, for its cursor. A group that is new to it has none until its first event.
    private(set) var positions: [GroupID: LogPosition]
    /// Behind which numbers to go on: of all groups that the user is in.
    private(set) var numbers: [GroupID: Int] = [:]
    /// There is no cursor: what has happened so far is not told.
    private var beginsHere: Bool

    init(positions: [GroupID: LogPosition], beginsHere: Bool) {
        self.positions = positions
        self.beginsHere = beginsHere
    }

    /// Takes up the groups that the user is in: where the client is, and where he joined since, with his joining.
    /// - Returns: false where a log no longer has all that the client has not seen.
    mutating func enter(_ memberships: [LogMembership]) -> Bool {
        for membership in memberships {
            let group = membership.group
            let seen = numbers[group] ?? positions[group]?.number
            if let seen, membership.joined ?? 0 <= seen {
                if membership.isKnown == false { return false }
                numbers[group] = seen
            } else if let joined = membership.joined, seen != nil || !beginsHere {
                positions[group] = nil
                numbers[group] = joined - 1
            } else {
                positions[group] = membership.end
                numbers[group] = membership.end.number
            }
        }
        beginsHere = false
        return true
    }

    /// Drops the groups that the user is no longer in.
    /// - Returns: those.
    mutating func leave(allBut memberships: [LogMembership]) -> [GroupID] {
        let left = Set(positions.keys).union(numbers.keys).subtracting(memberships.map(\.group))
        for group in left { drop(group) }
        return Array(left)
    }

    /// Goes on past an event.
    mutating func pass(_ item: EventItem) {
        guard let position = item.position else { return drop(item.group) }
        positions[item.group] = position
        numbers[item.group] = position.number
    }

    private mutating func drop(_ group: GroupID) {
        positions[group] = nil
        numbers[group] = nil
    }
}
