import FeatureKit
import Groups

/// A client's position in the logs of its user's groups.
struct EventPlace: Sendable {
    /// The events that the client has seen, for its cursor. A group that is new to the client has no position until its first
    /// event.
    private(set) var positions: [GroupID: LogPosition]
    /// For each of the user's groups the number of the last event that the client has.
    private(set) var numbers: [GroupID: Int] = [:]
    /// Whether the client has no cursor, so that it gets no past events.
    private var beginsHere: Bool

    init(positions: [GroupID: LogPosition], beginsHere: Bool) {
        self.positions = positions
        self.beginsHere = beginsHere
    }

    /// Enters the groups whose member the user is. In a group that the user has joined since, the client's position is just
    /// before the joining.
    ///
    /// - Returns: false if a log does not have all events that the client has not seen.
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
                // The client does not have the group, and the log does not have the joining any more.
                guard beginsHere else { return false }
                positions[group] = membership.end
                numbers[group] = membership.end.number
            }
        }
        beginsHere = false
        return true
    }

    /// Drops the groups whose member the user is not any more.
    ///
    /// - Returns: the dropped groups.
    mutating func leave(allBut memberships: [LogMembership]) -> [GroupID] {
        let left = Set(positions.keys).union(numbers.keys).subtracting(memberships.map(\.group))
        for group in left { drop(group) }
        return Array(left)
    }

    /// Advances past an event.
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
