import FeatureKit
import Auth
import Foundation
import Postgres

/// A place in a group's log: everything up to the event of that number has been seen.
package struct LogPosition: Sendable, Hashable {
    /// 0: before the first event.
    package let number: Int
    /// Made of the moment at which that event was written. After a backup was restored its number may come again, its
    /// moment does not.
    package let stamp: UInt32

    package init(number: Int, stamp: UInt32) {
        self.number = number
        self.stamp = number == 0 ? 0 : stamp
    }

    /// The stamp of a column, as SQL: of type bigint, and not negative.
    package static func stamp(of column: SQL) -> SQL {
        "((extract(epoch FROM \(fragment: column)) * 1000000)::bigint & 4294967295)"
    }

    /// Where the log of the group `g` ends: the columns `last_event` and `stamp`.
    package static let columns: SQL = """
        g.last_event, \(fragment: stamp(of: "g.last_event_at")) AS stamp
        """

    /// Of a row with those columns.
    package init(_ row: PostgresRow) throws {
        self.init(number: try row.get("last_event"), stamp: UInt32(try row.get("stamp", as: Int64.self)))
    }

    /// Whether the log of the group `g` still has all that came after a position, as SQL: the position is one of this
    /// log, and none of the events since is forgotten. The next event knows its own place and those of the events that
    /// were replaced before it; with what they skipped, the events since add up to the last number.
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

/// Something that happened in a group.
package struct GroupChange: Sendable {
    package let position: LogPosition
    /// The number of the event before it. The numbers between belonged to renames that were replaced.
    package let previous: Int
    /// Nil for a kind that a later version has made up.
    package let kind: GroupEventKind?
    /// Whom it is about; nil where it is about nobody, or the account is deleted.
    package let user: UserID?
    package let firstName: String?
    package let photo: UUID?
}

/// What happened in a group after a place in its log, in its order, and how the group stands.
package struct GroupEventPage: Sendable {
    package let group: GroupID
    package let name: String
    /// Who is in the group now.
    package let members: Set<UserID>
    package var changes: [GroupChange]
}

/// A group that somebody is in, and from where on its log is news to him.
package struct LogMembership: Sendable {
    package let group: GroupID
    package let end: LogPosition
    /// The number of his latest joining, where the log has it.
    package let joined: Int?
    /// Nil where no position was given for the group; else whether the log has all that came after it.
    package let isKnown: Bool?
}

/// That an event was written.
package struct GroupEventSignal: Sendable {
    /// The channel of the signals that the log's trigger sends, and of NOTIFY between processes.
    package static let channel = "dayly_group_events"

    package let group: GroupID
    package let number: Int
    /// Somebody joined.
    package let isJoining: Bool

    package init(group: GroupID, number: Int, isJoining: Bool) {
        self.group = group
        self.number = number
        self.isJoining = isJoining
    }

    /// Nil for what is no payload of that channel.
    package init?(payload: String) {
        let parts = payload.split(separator: " ")
        guard parts.count >= 2, let group = UUID(uuidString: String(parts[0])), let number = Int(parts[1])
        else { return nil }
        self.init(
            group: GroupID(rawValue: group), number: number, isJoining: parts.dropFirst(2).first == "+")
    }
}

/// That somebody is in a group, and how far its log goes.
package struct GroupStanding: Sendable {
    package let user: UserID
    package let group: GroupID
    package let lastEvent: Int
}

/// Reads what happens in groups. Numbers come in the order of commits, because they are taken from the group's locked
/// row: a client that has read up to a number has read everything up to it. Each event names the number before it.
package struct GroupLog: Sendable {
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

    /// What happened after those numbers, at most `limit` events of each group. Groups that are gone are left out.
    package func news(after numbers: [GroupID: Int], limit: Int) async throws -> [GroupEventPage] {
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
        var news: [GroupEventPage] = []
        for row in rows {
            let group: GroupID = try row.get("id")
            if news.last?.group != group {
                let members: [UserID] = try row.get("members")
                news.append(
                    GroupEventPage(
                        group: group, name: try row.get("name"), members: Set(members), changes: []))
            }
            if let change = try GroupChange(row) { news[news.count - 1].changes.append(change) }
        }
        return news
    }

    /// Which groups these users are in, and how far their logs go: for a process that may have missed a signal.
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
    /// Nil for a group without news.
    fileprivate init?(_ row: PostgresRow) throws {
        guard let kind: String = try row.get("kind") else { return nil }
        self.init(
            position: try LogPosition(row), previous: try row.get("previous"),
            kind: GroupEventKind(rawValue: kind),
            user: try row.get("user_id"), firstName: try row.get("first_name"),
            photo: try row.get("photo_id"))
    }
}
