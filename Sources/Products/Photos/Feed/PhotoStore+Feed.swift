import Auth
import FeatureKit
import Foundation
import Groups
import Postgres

/// The part of a group's photos that a client requests.
enum FeedScope: Sendable, Equatable {
    /// All photos that have not expired.
    case all
    /// The photos that were accepted in the last 24 hours and have not expired.
    case today

    /// The largest age of a photo.
    var maxAge: Duration? { self == .today ? .seconds(24 * 3600) : nil }
}

/// Everything that a feed depends on except its URLs: the position in the group's log, and the photos that have expired
/// since.
struct FeedState: Sendable, Equatable {
    let reader: UserID
    let position: LogPosition
    let readAt: Date
    let count: Int
    let nextExpiry: Date?
    let oldest: Date?
}

/// A group's photos for one reader, with the state that they were read in.
struct FeedSnapshot: Sendable {
    let photos: [Photo]
    let state: FeedState
}

/// The photos that were added and removed after a position in the group's log.
struct FeedChanges: Sendable {
    let photos: PhotoSnapshot
    let removed: [PhotoID]
    let position: LogPosition
}

extension PhotoStore {
    /// A group's unexpired photos, oldest first, as one of its members sees them.
    ///
    /// - Parameter known: names that were read before. At the same position of the group's log PostgreSQL looks up none.
    /// - Throws: `PhotoError.notFound` if the user is not a member.
    static func feed(
        group: GroupID, reader: Caller, scope: FeedScope, known: SenderNames?
    ) async throws -> FeedSnapshot {
        let (number, stamp) = (known?.position.number, known.map { Int($0.position.stamp) })
        // The statement returns the membership's row even if there are no photos, so one snapshot decides both. OFFSET keeps
        // the subquery apart, so that PostgreSQL computes its columns once instead of once for each photo.
        let (user, rows) = try await reader.query { user in
            """
            SELECT p.id, p.group_id, p.sender_id, p.created_at, p.expires_at, p.width, p.height, p.thumbhash,
                   p.photo_key, p.thumbnail_key, now() AS read_at, log.last_event, log.stamp,
                   CASE WHEN log.last_event = \(number) AND log.stamp = \(stamp) THEN NULL
                        ELSE (SELECT u.first_name FROM users u WHERE u.id = p.sender_id) END AS sender_name
            FROM (
                SELECT g.id, \(fragment: LogPosition.columns)
                FROM group_members m
                JOIN groups g ON g.id = m.group_id
                WHERE m.group_id = \(group) AND m.user_id = \(user)
                OFFSET 0
            ) AS log
            LEFT JOIN photos p ON p.group_id = log.id AND \(fragment: Self.isIn(scope))
            ORDER BY p.created_at, p.id
            """
        }
        guard let first = rows.first else { throw PhotoError.notFound }
        let position = try LogPosition(first)
        let photos = try Self.photos(in: rows, names: known?.position == position ? known : nil)
        return FeedSnapshot(
            photos: photos,
            state: FeedState(
                reader: user, position: position, readAt: try first.get("read_at"),
                count: photos.count,
                nextExpiry: photos.map(\.expiresAt).min(), oldest: photos.map(\.createdAt).min()))
    }

    /// The state that `feed` would read now, without its photos.
    ///
    /// - Throws: `PhotoError.notFound` if the user is not a member.
    static func feedState(group: GroupID, reader: Caller, scope: FeedScope) async throws -> FeedState {
        let query = scope == .today ? todaysState : wholeState
        let (user, rows) = try await reader.query(query) { [group.rawValue, $0.rawValue] }
        guard let row = rows.first else { throw PhotoError.notFound }
        return FeedState(
            reader: user, position: try LogPosition(row), readAt: try row.get("read_at"),
            count: try row.get("count"),
            nextExpiry: try row.get("next_expiry"), oldest: try row.get("oldest"))
    }

    private static let wholeState = stateQuery(.all)
    private static let todaysState = stateQuery(.today)

    /// The key is the group and the reader. OFFSET keeps the subquery apart, so that PostgreSQL reads by indexes for one reader
    /// after the other.
    private static func stateQuery(_ scope: FeedScope) -> SharedQuery {
        SharedQuery { keys in
            """
            SELECT asked.place, now() AS read_at, state.*
            FROM \(fragment: keys.table("group_id", "user_id"))
            CROSS JOIN LATERAL (
                SELECT \(fragment: LogPosition.columns), shown.count, shown.next_expiry, shown.oldest
                FROM group_members m
                JOIN groups g ON g.id = m.group_id
                CROSS JOIN LATERAL (
                    SELECT count(*) AS count, min(p.expires_at) AS next_expiry, min(p.created_at) AS oldest
                    FROM photos p
                    WHERE p.group_id = g.id AND \(fragment: Self.isIn(scope))
                ) AS shown
                WHERE m.group_id = asked.group_id AND m.user_id = asked.user_id
                OFFSET 0
            ) AS state
            """
        }
    }

    /// The photos that were added and removed after `position`, read by one statement, so that no transaction is seen in
    /// part.
    ///
    /// A photo that was added and removed is in neither list. An expired photo counts as removed even before the log has its
    /// expiry; then the next request may return it as removed again. A photo whose sender was renamed is returned again.
    ///
    /// - Throws: `PhotoError.notFound` if the user is not a member; `.cursorExpired` if the log does not reach back to that
    ///   position.
    func changes(
        since position: LogPosition, group: GroupID, reader: UserID
    ) async throws -> FeedChanges {
        let (number, stamp) = (position.number, Int(position.stamp))
        let isKnown = LogPosition.isKnown(number: "\(number)", stamp: "\(stamp)")
        let rows = try await postgres.query(
            """
            WITH events AS (
                SELECT kind, photo_id, user_id FROM group_events
                WHERE group_id = \(group) AND number > \(number)
            ), removed AS (
                SELECT coalesce(array_agg(gone.id ORDER BY gone.id), '{}') AS ids
                FROM (
                    (
                        SELECT photo_id AS id FROM events WHERE kind = 'photo_removed'
                        UNION SELECT id FROM photos WHERE group_id = \(group) AND expires_at <= now()
                    )
                    EXCEPT SELECT photo_id FROM events WHERE kind = 'photo_added'
                ) AS gone
            )
            SELECT p.id, p.group_id, p.sender_id, u.first_name AS sender_name, p.created_at, p.expires_at, p.width,
                   p.height, p.thumbhash, p.photo_key, p.thumbnail_key, now() AS read_at, removed.ids AS removed,
                   \(fragment: LogPosition.columns), \(fragment: isKnown) AS is_known
            FROM group_members m
            JOIN groups g ON g.id = m.group_id
            CROSS JOIN removed
            LEFT JOIN photos p ON p.group_id = m.group_id AND p.expires_at > now() AND EXISTS (
                SELECT FROM events
                WHERE events.kind = 'photo_added' AND events.photo_id = p.id
                    OR events.kind = 'member_renamed' AND events.user_id = p.sender_id
            )
            LEFT JOIN users u ON u.id = p.sender_id
            WHERE m.group_id = \(group) AND m.user_id = \(reader)
            ORDER BY p.created_at, p.id
            """)
        guard let first = rows.first else { throw PhotoError.notFound }
        guard try first.get("is_known", as: Bool.self) else { throw PhotoError.cursorExpired }
        let photos = PhotoSnapshot(photos: try Self.photos(in: rows), readAt: try first.get("read_at"))
        return FeedChanges(
            photos: photos, removed: try first.get("removed"), position: try LogPosition(first))
    }

    /// The photos that have not expired, without a check of membership.
    func live(_ ids: [UUID]) async throws -> PhotoSnapshot {
        let rows = try await postgres.query(
            "\(fragment: Photo.selection) WHERE p.id = ANY(\(ids)) AND p.expires_at > now()")
        return PhotoSnapshot(
            photos: try rows.map { try Photo(row: $0) },
            readAt: try rows.first?.get("read_at") ?? Date.distantPast)
    }

    /// The SQL condition that the photo `p` is in the feed.
    private static func isIn(_ scope: FeedScope) -> SQL {
        let maxAge = scope.maxAge
        return """
            p.expires_at > now()
            AND (\(maxAge)::interval IS NULL OR p.created_at > now() - \(maxAge)::interval)
            """
    }

    /// A feed without photos is one row without a photo.
    private static func photos(in rows: [PostgresRow], names: SenderNames? = nil) throws -> [Photo] {
        let isEmpty = try rows.first?.get("id", as: PhotoID?.self) == nil
        return isEmpty ? [] : try rows.map { try Photo(row: $0, names: names) }
    }
}
