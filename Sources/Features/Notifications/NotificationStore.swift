import Auth
import FeatureKit
import Foundation
import Groups
import Jobs
import Postgres
import Push

/// SQL that finds the recipients of notifications and their circumstances at the time of a delivery. It writes only to the
/// outbox.
struct NotificationStore: Sendable {
    let postgres: PostgresClient

    /// The circumstances of a reader at the time of a delivery.
    struct Reader {
        let isMuted: Bool
        /// The end of the quiet hours, if the reader has them now.
        let quietUntil: Date?
        /// Whether the quiet hours end on the day that the notification is about.
        let quietEndsOnDay: Bool
        /// Nil: the notification is not about a group of the reader.
        let groupName: String?
    }

    /// Records one notification for every member except the sender, members who have muted the group, members without a
    /// device, and members who have been notified on that day. The day is that of the event, in the reader's time zone.
    ///
    /// A notification is useful until the end of that day, and for at least an hour, so that an event just before midnight is
    /// delivered just after it. Its key stays used as long as it is that day anywhere on Earth, because readers travel.
    ///
    /// - Returns: the number of recorded notifications.
    func fanOut(
        _ notification: GroupNotification, by sender: UserID, happenedAt: Date,
        on platforms: Set<PushPlatform>
    ) async throws -> Int {
        try await postgres.transaction { tx in
            let readers = try tx.query(
                """
                SELECT u.id, day.date::text AS day, \(fragment: DeviceStore.lanesSQL(platforms)) AS lanes,
                    GREATEST(end_of_local_day(day.date, u.time_zone), \(happenedAt) + interval '1 hour') AS useful_until,
                    GREATEST(
                        (day.date + 1 + time '13:00') AT TIME ZONE 'UTC',
                        end_of_local_day(day.date, u.time_zone) + interval '1 hour') AS keep_until
                FROM group_members m
                JOIN users u ON u.id = m.user_id
                CROSS JOIN LATERAL (SELECT local_day(\(happenedAt), u.time_zone) AS date) AS day
                WHERE m.group_id = \(notification.group) AND m.user_id <> \(sender)
                    AND NOT coalesce(m.muted_until > now(), false)
                    AND \(fragment: DeviceStore.canBeReached(on: platforms))
                """)
            let drafts = try readers.map { row in
                let (reader, day): (UUID, String) = (try row.get("id"), try row.get("day"))
                return OutboxDraft(
                    key: Self.key(notification, reader: reader, day: day), owner: reader,
                    payload: UserNotification(
                        kind: notification.kind, group: notification.group, subject: notification.subject,
                        day: day),
                    expiresAt: try row.get("useful_until"), keepUntil: try row.get("keep_until"),
                    lanes: try row.get("lanes"))
            }
            return try OutboxStore.post(tx, topic: NotificationOutbox.Topic.user, drafts)
        }
    }

    /// The key of the one notification per recipient, group and day.
    private static func key(_ notification: GroupNotification, reader: UUID, day: String) -> String {
        "\(notification.kind.rawValue) \(reader) \(notification.group) \(day)".lowercased()
    }

    /// The reader as a member of the group; nil if they are not a member now.
    ///
    /// - Parameter day: the reader's day that the notification is about.
    func member(_ reader: UserID, of group: GroupID, day: String) async throws -> Reader? {
        try await postgres.first(
            """
            SELECT coalesce(m.muted_until > now(), false) AS is_muted, g.name AS group_name, quiet.ends_at,
                coalesce(local_day(quiet.ends_at, u.time_zone) <= \(day)::date, false) AS ends_on_day
            FROM group_members m
            JOIN groups g ON g.id = m.group_id
            JOIN users u ON u.id = m.user_id
            CROSS JOIN LATERAL (
                -- OFFSET keeps PostgreSQL from calling the function once for each use of its result.
                SELECT quiet_until(now(), u.time_zone, u.quiet_from, u.quiet_to) AS ends_at OFFSET 0
            ) AS quiet
            WHERE m.group_id = \(group) AND m.user_id = \(reader)
            """
        ).map(Self.reader)
    }

    /// The reader without a group; nil if the account is gone.
    ///
    /// - Parameter quietHours: those of an account that has set none.
    func user(
        _ reader: UserID, quietHours: PersonalNotificationSource.QuietHours = .none
    ) async throws -> Reader? {
        let (from, to): (String?, String?) = quietHours == .night ? ("22:00", "08:00") : (nil, nil)
        return try await postgres.first(
            """
            SELECT false AS is_muted, NULL::text AS group_name,
                quiet_until(now(), u.time_zone, coalesce(u.quiet_from, \(from)), coalesce(u.quiet_to, \(to))) AS ends_at,
                true AS ends_on_day
            FROM users u
            WHERE u.id = \(reader)
            """
        ).map(Self.reader)
    }

    private static func reader(_ row: PostgresRow) throws -> Reader {
        Reader(
            isMuted: try row.get("is_muted"), quietUntil: try row.get("ends_at"),
            quietEndsOnDay: try row.get("ends_on_day"), groupName: try row.get("group_name"))
    }
}
