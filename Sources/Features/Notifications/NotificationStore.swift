import FeatureKit
import Auth
import Foundation
import Groups
import Jobs
import Postgres
import Push

/// Who is to be told what: all the SQL of it. Reads what groups and users are at the moment of telling; writes nothing
/// but the outbox.
struct NotificationStore: Sendable {
    let postgres: PostgresClient

    /// What a reader is at the moment of telling.
    struct Reader {
        let isMuted: Bool
        /// When the quiet that holds now ends.
        let quietUntil: Date?
        /// Whether that is still the same day.
        let quietEndsOnDay: Bool
    }

    /// Writes down one notice for every member who is to hear of the news: nobody who is muted or cannot be reached,
    /// nobody twice on a day, and not who did it. The day is the reader's own, at the moment when it happened.
    ///
    /// It is of use to the end of that day, and for an hour in any case: what happens just before midnight is told
    /// just after it. Its key stays used for as long as anywhere on Earth is that day: a reader may travel.
    func fanOut(
        _ news: GroupNotification, by sender: UserID, happenedAt: Date, on platforms: Set<PushPlatform>
    ) async throws -> Int {
        try await postgres.transaction { tx in
            let readers = try tx.query(
                """
                SELECT u.id, day.date::text AS day, \(fragment: DeviceStore.platformsSQL(platforms)) AS platforms,
                    GREATEST(end_of_local_day(day.date, u.time_zone), \(happenedAt) + interval '1 hour') AS useful_until,
                    GREATEST(
                        (day.date + 1 + time '13:00') AT TIME ZONE 'UTC',
                        end_of_local_day(day.date, u.time_zone) + interval '1 hour') AS keep_until
                FROM group_members m
                JOIN users u ON u.id = m.user_id
                CROSS JOIN LATERAL (SELECT local_day(\(happenedAt), u.time_zone) AS date) AS day
                WHERE m.group_id = \(news.group) AND m.user_id <> \(sender)
                    AND NOT coalesce(m.muted_until > now(), false)
                    AND \(fragment: DeviceStore.canBeReached(on: platforms))
                """)
            let drafts = try readers.map { row in
                let (reader, day): (UUID, String) = (try row.get("id"), try row.get("day"))
                return OutboxDraft(
                    key: Self.key(news, reader: reader, day: day), owner: reader,
                    payload: UserNotification(
                        kind: news.kind, group: news.group, subject: news.subject, day: day),
                    expiresAt: try row.get("useful_until"), keepUntil: try row.get("keep_until"),
                    lanes: try row.get("platforms"))
            }
            return try Outbox.post(tx, topic: NotificationOutbox.Topic.notice, drafts)
        }
    }

    /// One per recipient, group and day.
    private static func key(_ news: GroupNotification, reader: UUID, day: String) -> String {
        "\(news.kind.rawValue) \(reader) \(news.group) \(day)".lowercased()
    }

    /// The reader as a member of the group; nil where he is none now.
    /// - Parameter day: the reader's, that the notice is about.
    func member(_ reader: UserID, of group: GroupID, day: String) async throws -> Reader? {
        try await postgres.first(
            """
            SELECT coalesce(m.muted_until > now(), false) AS is_muted, quiet.ends_at,
                coalesce(local_day(quiet.ends_at, u.time_zone) <= \(day)::date, false) AS ends_on_day
            FROM group_members m
            JOIN users u ON u.id = m.user_id
            CROSS JOIN LATERAL (
                SELECT quiet_until(now(), u.time_zone, u.quiet_from, u.quiet_to) AS ends_at
            ) AS quiet
            WHERE m.group_id = \(group) AND m.user_id = \(reader)
            """
        ).map(Self.reader)
    }

    /// The reader by himself; nil where the account is gone.
    func user(_ reader: UserID) async throws -> Reader? {
        try await postgres.first(
            """
            SELECT false AS is_muted,
                quiet_until(now(), u.time_zone, u.quiet_from, u.quiet_to) AS ends_at, true AS ends_on_day
            FROM users u
            WHERE u.id = \(reader)
            """
        ).map(Self.reader)
    }

    private static func reader(_ row: PostgresRow) throws -> Reader {
        Reader(
            isMuted: try row.get("is_muted"), quietUntil: try row.get("ends_at"),
            quietEndsOnDay: try row.get("ends_on_day"))
    }
}
