import FeatureKit
import FocusRules
import Postgres

/// SQL that says when reminders are due, and whether their reasons hold.
enum FocusReminderStore {
    /// The facts that decide about a claimed reminder.
    struct Finding: Sendable {
        let user: UserID
        let kind: FocusDueKind
        let day: DayNumber
        /// When it is due by the user's present time zone.
        let at: Instant
        let isReasonGiven: Bool
        /// The next day that has a reminder of the kind, and when that one is due.
        let nextDay: DayNumber
        let nextAt: Instant
    }

    /// Gives a user the rows of their reminders, and takes away that of a reminder that the user does not want. Rows that exist
    /// stay as they are.
    static func refresh(_ tx: PostgresTransaction, of user: UserID) throws {
        try tx.execute(
            """
            DELETE FROM focus_due USING focus_profiles p
            WHERE p.user_id = \(user) AND NOT p.morning AND focus_due.user_id = p.user_id AND focus_due.kind = 'morning'
            """)
        try tx.execute(
            """
            INSERT INTO focus_due (user_id, kind, day, due_at)
            SELECT p.user_id, k.kind, next.day, focus_reminder_at(k.kind, next.day, u.time_zone)
            FROM focus_profiles p
            JOIN users u ON u.id = p.user_id
            CROSS JOIN unnest(ARRAY['results', 'review', 'partner_prompt', 'morning']) AS k (kind)
            CROSS JOIN LATERAL (
                SELECT focus_reminder_day(k.kind, local_day(now(), u.time_zone)) AS day
            ) AS first
            CROSS JOIN LATERAL (
                SELECT CASE WHEN focus_reminder_at(k.kind, first.day, u.time_zone) > now() THEN first.day
                    ELSE focus_reminder_day(k.kind, first.day + 1) END AS day
            ) AS next
            WHERE p.user_id = \(user) AND (k.kind <> 'morning' OR p.morning)
            ON CONFLICT (user_id, kind) DO NOTHING
            """)
    }

    static func findings(_ tx: PostgresTransaction, _ claimed: [FocusDue]) throws -> [Finding] {
        try tx.query(
            """
            SELECT r.user_id, r.kind, r.day - DATE '1970-01-01' AS day,
                extract(epoch FROM focus_reminder_at(r.kind, r.day, u.time_zone))::bigint AS at,
                \(fragment: Self.reason("r.kind", "r.day")) AS holds, next.day - DATE '1970-01-01' AS next_day,
                extract(epoch FROM focus_reminder_at(r.kind, next.day, u.time_zone))::bigint AS next_at
            FROM (
                SELECT user_id, kind, DATE '1970-01-01' + day::integer AS day
                FROM unnest(
                    \(claimed.map(\.user)), \(claimed.map(\.kind.rawValue)), \(claimed.map(\.day))
                ) AS claimed (user_id, kind, day)
            ) AS r
            JOIN focus_profiles p ON p.user_id = r.user_id
            JOIN users u ON u.id = p.user_id
            CROSS JOIN LATERAL (
                SELECT focus_reminder_day(r.kind, GREATEST(r.day + 1, local_day(now(), u.time_zone))) AS day
            ) AS next
            """
        ).compactMap(Finding.init)
    }

    /// Whether the reason of a reminder that was posted still holds.
    static func holds(
        _ postgres: PostgresClient, _ kind: FocusDueKind, on day: DayNumber, for user: UserID
    ) async throws -> Bool {
        try await postgres.first(
            """
            SELECT \(fragment: Self.reason("r.kind", "r.day")) AS holds
            FROM (SELECT \(kind.rawValue) AS kind, DATE '1970-01-01' + \(day)::integer AS day) AS r
            JOIN focus_profiles p ON p.user_id = \(user)
            """
        )?.get("holds") ?? false
    }

    /// The condition that the profile `p` has a reason for the reminder of a kind on a local day.
    private static func reason(_ kind: SQL, _ day: SQL) -> SQL {
        """
        CASE \(fragment: kind)
            WHEN 'results' THEN EXISTS (
                SELECT FROM focus_weeks w
                WHERE w.user_id = p.user_id AND w.week = \(fragment: day) - 7 AND w.points > 0
            ) OR EXISTS (
                SELECT FROM focus_seats s WHERE s.user_id = p.user_id AND s.week = \(fragment: day) - 7
            )
            WHEN 'review' THEN EXISTS (
                SELECT FROM focus_days d
                WHERE d.user_id = p.user_id AND d.day = \(fragment: day) - 1 AND d.minutes IS NOT NULL
            )
            WHEN 'morning' THEN p.morning AND NOT EXISTS (
                SELECT FROM focus_schedules s
                WHERE s.user_id = p.user_id AND s.from_time < '10:00'
                    AND extract(isodow FROM \(fragment: day) + 1) = ANY(s.weekdays)
            )
            WHEN 'partner_prompt' THEN EXISTS (SELECT FROM focus_intentions i WHERE i.user_id = p.user_id)
                AND NOT EXISTS (SELECT FROM focus_partners o WHERE o.user_id = p.user_id)
            ELSE false
        END
        """
    }
}

extension FocusReminderStore.Finding {
    fileprivate init?(_ row: PostgresRow) throws {
        guard let kind = FocusDueKind(rawValue: try row.get("kind")) else { return nil }
        self.init(
            user: try row.get("user_id"), kind: kind, day: try row.get("day"), at: try row.get("at"),
            isReasonGiven: try row.get("holds"), nextDay: try row.get("next_day"),
            nextAt: try row.get("next_at"))
    }
}
