import FeatureKit
import Auth
import Foundation
import Groups
import Postgres

/// Which of a group's photos are asked for.
enum FeedScope: Sendable, Equatable {
    /// All that are not expired.
    case all
    /// Those of them that were accepted in the last 24 hours.
    case today

    var seconds: Double? { self == .today ? 24 * 3600 : nil }
}

/// What decides, beside the clients' URLs, what a feed says: the place in the group's log, and which photos time has
/// taken out of it since.
struct FeedState: Sendable, Equatable {
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

/// What came and what went after a place in the group's log.
struct FeedChanges: Sendable {
    let photos: PhotoSnapshot
    let removed: [PhotoID]
    let position: LogPosition
}

extension PhotoStore {
    /// A group's unexpired photos, oldest first, as one of its members sees them.
    ///
    /// - Throws: `PhotoError.notFound` when the user is no member.
    func feed(group: GroupID, reader: UserID, scope: FeedScope) async throws -> FeedSnapshot {
        // The membership's row comes back even where there is no photo: one statement decides both, and what it sees
        // is of one moment.
        let rows = try await postgres.query(
            """
            SELECT p.id, p.group_id, p.sender_id, u.first_name AS sender_name, p.created_at, p.expires_at, p.width,
                   p.height, p.thumbhash, p.photo_key, p.thumbnail_key, now() AS read_at,
                   \(fragment: LogPosition.columns)
            FROM group_members m
            JOIN groups g ON g.id = m.group_id
            LEFT JOIN photos p ON p.group_id = m.group_id AND \(fragment: Self.isIn(scope))
            LEFT JOIN users u ON u.id = p.sender_id
            WHERE m.group_id = \(group) AND m.user_id = \(reader)
            ORDER BY p.created_at, p.id
            """)
        guard let first = rows.first else { throw PhotoError.notFound }
        let photos = try Self.photos(in: rows)
        return FeedSnapshot(
            photos: photos,
            state: FeedState(
                position: try LogPosition(first), readAt: try first.get("read_at"), count: photos.count,
                nextExpiry: photos.map(\.expiresAt).min(), oldest: photos.map(\.createdAt).min()))
    }

    /// The state that `feed` would read now, without its photos.
    ///
    /// - Throws: `PhotoError.notFound` when the user is no member.
    func feedState(group: GroupID, reader: UserID, scope: FeedScope) async throws -> FeedState {
        let row = try await postgres.first(
            """
            SELECT \(fragment: LogPosition.columns), now() AS read_at, shown.count, shown.next_expiry, shown.oldest
            FROM group_members m
            JOIN groups g ON g.id = m.group_id
            CROSS JOIN LATERAL (
                SELECT count(*) AS count, min(p.expires_at) AS next_expiry, min(p.created_at) AS oldest
                FROM photos p
                WHERE p.group_id = g.id AND \(fragment: Self.isIn(scope))
            ) AS shown
            WHERE m.group_id = \(group) AND m.user_id = \(reader)
            """)
        guard let row else { throw PhotoError.notFound }
        return FeedState(
            position: try LogPosition(row), readAt: try row.get("read_at"), count: try row.get("count"),
            nextExpiry: try row.get("next_expiry"), oldest: try row.get("oldest"))
    }

    /// What came and what went after `position`, in one statement: no transaction is seen in part.
    ///
    /// What came and went both is in neither list. What has expired is gone, whether or not the log says so yet; then it
    /// may be told twice. A photo whose sender has another name since comes again.
    ///
    /// - Throws: `PhotoError.notFound` when the user is no member, `.cursorExpired` when the log does not reach back
    ///   to that position.
    func changes(
        since position: LogPosition, group: GroupID, reader: UserID
    ) async throws -> FeedChanges {
        let (number, stamp) = (position.number, Int(position.stamp))
        let isKnown = LogPosition.isKnown(number: "\(number)", stamp: "\(stamp)")
        let rows = try await postgres.query(
            """
            WITH news AS (
                SELECT kind, photo_id, user_id FROM group_events
                WHERE group_id = \(group) AND number > \(number)
            ), removed AS (
                SELECT coalesce(array_agg(gone.id ORDER BY gone.id), '{}') AS ids
                FROM (
                    (
                        SELECT photo_id AS id FROM news WHERE kind = 'photo_removed'
                        UNION SELECT id FROM photos WHERE group_id = \(group) AND expires_at <= now()
                    )
                    EXCEPT SELECT photo_id FROM news WHERE kind = 'photo_added'
                ) AS gone
            )
            SELECT p.id, p.group_id, p.sender_id, u.first_name AS sender_name, p.created_at, p.expires_at, p.width,
                   p.height, p.thumbhash, p.photo_key, p.thumbnail_key, now() AS read_at, removed.ids AS removed,
                   \(fragment: LogPosition.columns), \(fragment: isKnown) AS is_known
            FROM group_members m
            JOIN groups g ON g.id = m.group_id
            CROSS JOIN removed
            LEFT JOIN photos p ON p.group_id = m.group_id AND p.expires_at > now() AND EXISTS (
                SELECT FROM news
                WHERE news.kind = 'photo_added' AND news.photo_id = p.id
                    OR news.kind = 'member_renamed' AND news.user_id = p.sender_id
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

    /// Those of the photos that are not expired, whoever may see them.
    func live(_ ids: [UUID]) async throws -> PhotoSnapshot {
        let rows = try await postgres.query(
            "\(fragment: Photo.selection) WHERE p.id = ANY(\(ids)) AND p.expires_at > now()")
        return PhotoSnapshot(
            photos: try rows.map(Photo.init(row:)), readAt: try rows.first?.get("read_at") ?? Date.distantPast
        )
    }

    /// Whether the photo `p` is shown, as SQL.
    private static func isIn(_ scope: FeedScope) -> SQL {
        let seconds = scope.seconds
        return """
            p.expires_at > now()
            AND (\(seconds)::float8 IS NULL OR p.created_at > now() - make_interval(secs => \(seconds)::float8))
            """
    }

    /// Who has no photos to see gets one row without any.
    private static func photos(in rows: [PostgresRow]) throws -> [Photo] {
        let isEmpty = try rows.first?.get("id", as: PhotoID?.self) == nil
        return isEmpty ? [] : try rows.map(Photo.init(row:))
    }
}
