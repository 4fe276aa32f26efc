import FeatureKit
import FocusRules
import HTTPKit
import Postgres

/// SQL about `focus_temptations`, and the facts about a user that decide about temptations.
enum FocusTemptationStore {
    /// The states of those of the users who take part in Focus.
    static func states(_ tx: PostgresTransaction, of users: [UserID]) throws -> [TemptationState] {
        try tx.query(Self.reading(users)).map(TemptationState.init)
    }

    static func state(_ tx: PostgresTransaction, of user: UserID) throws -> TemptationState? {
        try states(tx, of: [user]).first
    }

    /// The same outside a transaction.
    static func state(_ postgres: PostgresClient, of user: UserID) async throws -> TemptationState? {
        try await postgres.first(Self.reading([user])).map(TemptationState.init)
    }

    /// The ends of the quiet hours that hold at some instants, of the user's own and the account's the later one; nil where none do.
    static func quietUntil(
        _ tx: PostgresTransaction, _ instants: [Instant], _ state: TemptationState
    ) throws -> [Instant?] {
        try tx.query(
            """
            SELECT \(fragment: Self.quiet("to_timestamp(moment.at)", state)) AS ends_at
            FROM unnest(\(instants)) WITH ORDINALITY AS moment (at, place)
            ORDER BY moment.place
            """
        ).map { try $0.get("ends_at") }
    }

    /// Whether temptations are quiet now.
    static func isQuiet(_ postgres: PostgresClient, _ state: TemptationState) async throws -> Bool {
        let end: Instant? = try await postgres.first(
            "SELECT \(fragment: Self.quiet("now()", state)) AS ends_at")?.get("ends_at")
        return end != nil
    }

    /// Whether three other users of six or more whom the user follows, or who share a group with the user, had an unlock in the
    /// 15 minutes before an instant. With fewer, or among fewer, a message could tell whose phone it was.
    static func isSocialPossible(_ tx: PostgresTransaction, for user: UserID, at due: Instant) throws -> Bool
    {
        let row = try tx.first(
            """
            SELECT count(*) >= 6 AND count(*) FILTER (WHERE has_unlocked) >= 3 AS is_possible FROM (
                SELECT EXISTS (
                    SELECT FROM focus_devices d
                    WHERE d.user_id = others.id AND d.last_unlock_at >= to_timestamp(\(due)) - interval '15 minutes'
                        AND d.last_unlock_at <= to_timestamp(\(due))
                ) AS has_unlocked FROM (
                    SELECT f.followed_id AS id
                    FROM focus_follows f
                    JOIN focus_profiles p ON p.user_id = f.followed_id AND p.feed
                    WHERE f.follower_id = \(user) AND (
                        p.nickname IS NOT NULL OR \(fragment: FocusFollowStore.sharesGroup("f.followed_id", with: user)))
                    UNION
                    SELECT theirs.user_id
                    FROM group_members mine
                    JOIN group_members theirs ON theirs.group_id = mine.group_id AND theirs.user_id <> mine.user_id
                    JOIN focus_profiles p ON p.user_id = theirs.user_id AND p.boards
                    WHERE mine.user_id = \(user)
                ) AS others
            ) AS people
            """)
        return try row?.get("is_possible") ?? false
    }

    // MARK: - Changes

    static func write(_ tx: PostgresTransaction, _ wishes: TemptationWishes, of user: UserID) throws {
        try tx.execute(
            """
            INSERT INTO focus_temptations (user_id, enabled, intensity, quiet_from, quiet_to)
            VALUES (\(user), \(wishes.isEnabled), \(wishes.intensity.rawValue), \(wishes.quiet?.from), \(wishes.quiet?.to))
            ON CONFLICT (user_id) DO UPDATE SET enabled = excluded.enabled, intensity = excluded.intensity,
                quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to
            """)
    }

    /// Locks the row of those that were sent, which is made if there is none.
    ///
    /// - Returns: nil if the user has left Focus.
    static func lockSent(_ tx: PostgresTransaction, of user: UserID) throws -> TemptationState? {
        try tx.execute(
            """
            INSERT INTO focus_temptations (user_id) SELECT user_id FROM focus_profiles WHERE user_id = \(user)
            ON CONFLICT (user_id) DO UPDATE SET user_id = excluded.user_id
            """)
        return try state(tx, of: user)
    }

    static func write(_ tx: PostgresTransaction, _ sent: SentTemptations, of user: UserID) throws {
        try tx.execute(
            """
            UPDATE focus_temptations
            SET settled_sent = \(sent.settledSent), settled_resisted = \(sent.settledResisted),
                sent_at = \(sent.recent.map(\.at)), unlocked_at = \(sent.recent.map { $0.firstUnlock ?? 0 })
            WHERE user_id = \(user)
            """)
    }

    static func write(
        _ tx: PostgresTransaction, last text: TemptationText, key: String, of user: UserID
    ) throws {
        try tx.execute(
            """
            UPDATE focus_temptations
            SET last_key = \(key), last_type = \(text.kind.rawValue), last_number = \(text.number)::smallint
            WHERE user_id = \(user)
            """)
    }

    // MARK: - Reading

    private static func reading(_ users: [UserID]) -> SQL {
        """
        SELECT p.user_id, u.time_zone, u.quiet_from AS account_from, u.quiet_to AS account_to,
            t.user_id IS NOT NULL AS has_wishes, t.enabled, t.intensity, t.quiet_from, t.quiet_to, t.last_key,
            t.last_type, t.last_number, t.settled_sent, t.settled_resisted, t.sent_at, t.unlocked_at,
            coalesce((
                SELECT bool_or(d.status = 'verified') AND NOT bool_or(d.status = 'broken') FROM focus_devices d
                WHERE d.user_id = p.user_id AND d.deleted_at IS NULL
            ), false) AS is_verified,
            extract(epoch FROM due.since)::bigint AS since, due.number,
            CASE WHEN due.due_at < 'infinity' THEN extract(epoch FROM due.due_at)::bigint END AS due_at
        FROM focus_profiles p
        JOIN users u ON u.id = p.user_id
        LEFT JOIN focus_temptations t ON t.user_id = p.user_id
        LEFT JOIN focus_due due ON due.user_id = p.user_id AND due.kind = 'temptation'
        WHERE p.user_id = ANY(\(users))
        """
    }

    private static func quiet(_ moment: SQL, _ state: TemptationState) -> SQL {
        let (own, account) = (state.wishes.quiet, state.accountQuiet)
        return """
            extract(epoch FROM GREATEST(
                quiet_until(\(fragment: moment), \(state.zone), \(own?.from), \(own?.to)),
                quiet_until(\(fragment: moment), \(state.zone), \(account?.from), \(account?.to))))::bigint
            """
    }
}

extension TemptationState {
    fileprivate init(_ row: PostgresRow) throws {
        user = try row.get("user_id")
        zone = try row.get("time_zone")
        accountQuiet = try QuietTimes(row, "account_from", "account_to")
        isVerified = try row.get("is_verified")
        chain = try Chain(row)
        guard try row.get("has_wishes") else {
            (wishes, lastSent, lastKey, sent) = (TemptationWishes(), nil, nil, SentTemptations())
            return
        }
        wishes = TemptationWishes(
            isEnabled: try row.get("enabled"),
            intensity: TemptationIntensity(rawValue: try row.get("intensity")) ?? .medium,
            quiet: try QuietTimes(row, "quiet_from", "quiet_to"))
        lastKey = try row.get("last_key")
        lastSent = try TemptationText(last: row)
        sent = try SentTemptations(row)
    }
}

extension TemptationState.Chain {
    fileprivate init?(_ row: PostgresRow) throws {
        guard let since: Instant = try row.get("since") else { return nil }
        let at: Instant? = try row.get("due_at")
        let number: Int = try row.get("number")
        self.init(streakBegan: since, due: at.map { TemptationChain.Due(number: number, at: $0) })
    }
}

extension QuietTimes {
    fileprivate init?(_ row: PostgresRow, _ from: String, _ to: String) throws {
        guard let begin: String = try row.get(from), let end: String = try row.get(to) else { return nil }
        self.init(from: begin, to: end)
    }
}

extension TemptationText {
    fileprivate init?(last row: PostgresRow) throws {
        guard let type: String = try row.get("last_type"), let kind = TemptationKind(rawValue: type) else {
            return nil
        }
        self.init(kind: kind, number: try row.get("last_number"))
    }
}

extension SentTemptations {
    fileprivate init(_ row: PostgresRow) throws {
        let (sentAt, unlockedAt): ([Int], [Int]) = (try row.get("sent_at"), try row.get("unlocked_at"))
        self.init(
            settledSent: try row.get("settled_sent"), settledResisted: try row.get("settled_resisted"),
            recent: zip(sentAt, unlockedAt).map { Sent(at: $0, firstUnlock: $1 == 0 ? nil : $1) })
    }
}
