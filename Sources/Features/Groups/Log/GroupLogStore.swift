import Auth
import FeatureKit
import Foundation
import Postgres

/// A position in a group's log. A client with this position has seen all events up to its number.
package struct LogPosition: Sendable, Hashable {
    /// 0 is the position before the first event.
    package let number: Int
    /// Made from the time at which the event was written. After a restore another event may get the same number, but not the
    /// same time.
    package let stamp: UInt32

    package init(number: Int, stamp: UInt32) {
        self.number = number
        self.stamp = number == 0 ? 0 : stamp
    }

    /// The SQL for the stamp of a column: of type bigint, and not negative.
    package static func stamp(of column: SQL) -> SQL {
        "((extract(epoch FROM \(fragment: column)) * 1000000)::bigint & 4294967295)"
    }

    /// The end of the log of the group `g`: the columns `last_event` and `stamp`.
    package static let columns: SQL = """
        g.last_event, \(fragment: stamp(of: "g.last_event_at")) AS stamp
        """

    /// Reads a row with these columns.
    package init(_ row: PostgresRow) throws {
        self.init(number: try row.get("last_event"), stamp: UInt32(try row.get("stamp", as: Int64.self)))
    }

    /// The SQL for whether the log of the group `g` still has all events after a position. That is so if the position is one
    /// of this log, and none of the events since has been deleted. The next event holds its own previous time and those of
    /// the events that were replaced before it. Together with the numbers that they skipped, the events since add up to the
    /// last number.
    package static func isKnown(number: SQL, stamp: SQL) -> SQL {
        """
        CASE WHEN \(fragment: number) = g.last_event THEN
            \(fragment: number) = 0 OR \(fragment: stamp) = \(fragment: Self.stamp(of: "g.last_event_at"))
        ELSE (
            \(fragment: number) = 0
            OR EXISTS (
                SELECT FROM unnest((
                    SELECT next.previous_at FROM group_events next
                    WHERE next.group_id = g.id AND next.number > \(fragment: number)
                    ORDER BY next.number
                    LIMIT 1
                )) AS place (at)
                WHERE \(fragment: stamp) = \(fragment: Self.stamp(of: "place.at"))
            )
        ) AND coalesce((
            SELECT min(since.number - since.skipped - 1) <= \(fragment: number)
                AND sum(since.skipped + 1) = g.last_event - min(since.number - since.skipped - 1)
            FROM group_events since
            WHERE since.group_id = g.id AND since.number > \(fragment: number)
        ), false) END
        """
    }
}

/// One event of a group.
package struct GroupChange: Sendable {
    package let position: LogPosition
    /// The number of the event before it. The numbers in between belonged to renames that were replaced.
    package let previous: Int
    /// Nil for a kind that only a later version of the service knows.
    package let kind: GroupEventKind?
    /// The user whom the event is about; nil when it is about no user, or the account was deleted.
    package let user: UserID?
    package let firstName: String?
    package let photo: UUID?
}

/// The events of a group after a position, in the order of the log, and the group's present name and members.
package struct GroupEventPage: Sendable {
    package let group: GroupID
    package let name: String
    /// The members now.
    package let members: Set<UserID>
    package var changes: [GroupChange]
}

/// A user's membership of a group, with the position from which on the user has not seen the log.
package struct LogMembership: Sendable {
    package let group: GroupID
    package let end: LogPosition
    /// The number of the event of the user's latest joining; nil when the log no longer has it.
    package let joined: Int?
    /// Whether the log still has all events after the given position; nil when no position was given for the group.
    package let isKnown: Bool?
}

/// The signal that an event was written.
package struct GroupEventSignal: Sendable {
    /// The channel of the signals that the log's trigger sends, and of NOTIFY between processes. Hints use it too.
    package static let channel = EventHint.channel

    package let group: GroupID
    package let number: Int
    /// Whether the event is a member's joining.
    package let isJoining: Bool

    package init(group: GroupID, number: Int, isJoining: Bool) {
        self.group = group
        self.number = number
        self.isJoining = isJoining
    }

    /// Nil when the text is not a payload of this channel.
    package init?(payload: String) {
        let parts = payload.split(separator: " ")
        guard parts.count >= 2, let group = UUID(uuidString: String(parts[0])), let number = Int(parts[1])
        else { return nil }
        self.init(
            group: GroupID(rawValue: group), number: number, isJoining: parts.dropFirst(2).first == "+")
    }
}

/// A user's membership of a group, with the number of the group's last event.
package struct GroupStanding: Sendable {
    package let user: UserID
    package let group: GroupID
    package let lastEvent: Int
}

/// Reads the events of groups. Their numbers follow the order of commits, because each is taken from the group's locked
/// row. So a client that has read up to a number has read all events up to it. Each event names the number before it.
package struct GroupLogStore: Sendable {
    package let postgres: PostgresClient

    package init(postgres: PostgresClient) {
        self.postgres = postgres
    }

    /// The groups that the user is in.
    package func memberships(
        of user: UserID, since positions: [GroupID: LogPosition]
    ) async throws -> [LogMembership] {
        let known = Array(positions)
        return try await postgres.query(
            """
            SELECT g.id, \(fragment: LogPosition.columns),
                (
                    SELECT max(e.number) FROM group_events e
                    WHERE e.group_id = g.id AND e.user_id = m.user_id AND e.kind = 'member_joined'
                ) AS joined,
                CASE WHEN k.number IS NOT NULL
                    THEN \(fragment: LogPosition.isKnown(number: "k.number", stamp: "k.stamp"))
                END AS is_known
            FROM group_members m
            JOIN groups g ON g.id = m.group_id
            LEFT JOIN unnest(
                \(known.map(\.key)), \(known.map(\.value.number)), \(known.map { Int($0.value.stamp) })
            ) AS k (group_id, number, stamp) ON k.group_id = g.id
            WHERE m.user_id = \(user)
            ORDER BY g.id
            """
        ).map { row in
            LogMembership(
                group: try row.get("id"), end: try LogPosition(row), joined: try row.get("joined"),
                isKnown: try row.get("is_known"))
        }
    }

    /// The events after these numbers, at most `limit` of each group. Deleted groups are left out.
    package func events(after numbers: [GroupID: Int], limit: Int) async throws -> [GroupEventPage] {
        let asked = Array(numbers)
        let rows = try await postgres.query(
            """
            SELECT g.id, g.name, everybody.ids AS members, e.number AS last_event, e.previous, e.stamp, e.kind,
                e.user_id, u.first_name, e.photo_id
            FROM unnest(\(asked.map(\.key)), \(asked.map(\.value))) AS k (group_id, number)
            JOIN groups g ON g.id = k.group_id
            CROSS JOIN LATERAL (
                SELECT coalesce(array_agg(m.user_id), '{}') AS ids FROM group_members m WHERE m.group_id = g.id
            ) AS everybody
            LEFT JOIN LATERAL (
                SELECT number, number - skipped - 1 AS previous, kind, user_id, photo_id,
                    \(fragment: LogPosition.stamp(of: "at")) AS stamp
                FROM group_events
                WHERE group_id = g.id AND number > k.number
                ORDER BY number
                LIMIT \(limit)
            ) AS e ON true
            LEFT JOIN users u ON u.id = e.user_id
            ORDER BY g.id, e.number
            """)
        var pages: [GroupEventPage] = []
        for row in rows {
            let group: GroupID = try row.get("id")
            if pages.last?.group != group {
                let members: [UserID] = try row.get("members")
                pages.append(
                    GroupEventPage(
                        group: group, name: try row.get("name"), members: Set(members), changes: []))
            }
            if let change = try GroupChange(row) { pages[pages.count - 1].changes.append(change) }
        }
        return pages
    }

    /// The groups of these users, with the numbers of their last events. For a process that may have missed a signal.
    package func standings(of users: [UserID]) async throws -> [GroupStanding] {
        try await postgres.query(
            """
            SELECT m.user_id, g.id, g.last_event
            FROM group_members m
            JOIN groups g ON g.id = m.group_id
            WHERE m.user_id = ANY(\(users))
            """
        ).map { row in
            GroupStanding(
                user: try row.get("user_id"), group: try row.get("id"), lastEvent: try row.get("last_event"))
        }
    }
}

extension GroupChange {
    /// Nil for a group without events after the number.
    fileprivate init?(_ row: PostgresRow) throws {
        guard let kind: String = try row.get("kind") else { return nil }
        self.init(
            position: try LogPosition(row), previous: try row.get("previous"),
            kind: GroupEventKind(rawValue: kind),
            user: try row.get("user_id"), firstName: try row.get("first_name"),
            photo: try row.get("photo_id"))
    }
}
