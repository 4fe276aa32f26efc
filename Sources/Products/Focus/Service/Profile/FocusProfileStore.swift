import FeatureKit
import FocusRules
import Foundation
import Postgres

/// SQL about the settings in `focus_profiles`.
struct FocusProfileStore: Sendable {
    let postgres: PostgresClient

    /// - Throws: `FocusError.notJoined`.
    func require(_ user: UserID) async throws -> FocusProfileState {
        try Self.state(of: user, try await postgres.first(Self.reading(user, lock: "")))
    }

    /// Locks the profile until the end of the transaction, as `FocusMemberStore.requireLocked` does.
    ///
    /// - Throws: `FocusError.notJoined`.
    func requireLocked(_ tx: PostgresTransaction, _ user: UserID) throws -> FocusProfileState {
        let row = try tx.first(Self.reading(user, lock: "FOR NO KEY UPDATE OF p"))
        let state = try Self.state(of: user, row)
        try tx.requireAgreed(Date(instant: state.member.now))
        return state
    }

    /// Makes a profile with the defaults unless the user has one.
    ///
    /// - Returns: whether it made one.
    func insertIfAbsent(_ tx: PostgresTransaction, _ user: UserID, consent: String) throws -> Bool {
        try tx.execute(
            """
            INSERT INTO focus_profiles (user_id, consent, joined_on)
            SELECT id, \(consent), local_day(now(), time_zone) FROM users WHERE id = \(user)
            ON CONFLICT (user_id) DO NOTHING
            """) > 0
    }

    /// - Throws: `FocusError.nicknameTaken`.
    func update(
        _ tx: PostgresTransaction, _ user: UserID, _ change: FocusProfileChange, goal: RisingLimit,
        setsNickname: Bool
    ) throws {
        let statement: SQL = """
            UPDATE focus_profiles
            SET consent = \(change.consent), nickname = \(change.nickname),
                nickname_set_at = CASE WHEN \(setsNickname) THEN now() ELSE nickname_set_at END,
                boards = \(change.hasBoards), leagues = \(change.hasLeagues), feed = \(change.hasFeed),
                morning = \(change.wantsMorning), goal_minutes = \(goal.value)::smallint,
                next_goal_minutes = \(goal.next?.value)::smallint,
                next_goal_on = DATE '1970-01-01' + \(goal.next?.from)::integer
            WHERE user_id = \(user)
            """
        do {
            try tx.execute(statement)
        } catch {
            if error.constraint == "focus_profiles_nickname_key" { throw FocusError.nicknameTaken }
            throw error
        }
    }

    /// Deletes the profile, and with it everything that Focus keeps about the user.
    func delete(_ user: UserID) async throws {
        // Triggers: focus_profiles_forget_messages, focus_profiles_record_erasure (migrations/schema.sql)
        try await postgres.execute("DELETE FROM focus_profiles WHERE user_id = \(user)")
    }

    private static func reading(_ user: UserID, lock: SQL) -> SQL {
        """
        SELECT \(fragment: FocusMemberStore.columns),
            p.consent, p.nickname, p.boards, p.leagues, p.feed, p.morning,
            floor(extract(epoch FROM now() - p.nickname_set_at))::bigint AS nickname_seconds,
            p.goal_minutes, p.next_goal_minutes, p.next_goal_on - DATE '1970-01-01' AS next_goal_on,
            extract(epoch FROM date_trunc('second', p.joined_at))::bigint AS joined_at
        FROM focus_profiles p JOIN users u ON u.id = p.user_id
        WHERE p.user_id = \(user)
        \(fragment: lock)
        """
    }

    private static func state(of user: UserID, _ row: PostgresRow?) throws -> FocusProfileState {
        guard let row else { throw FocusError.notJoined }
        return FocusProfileState(
            member: try FocusMember(user, row), consent: try row.get("consent"),
            nickname: try row.get("nickname"), secondsSinceNickname: try row.get("nickname_seconds"),
            hasBoards: try row.get("boards"), hasLeagues: try row.get("leagues"),
            hasFeed: try row.get("feed"), wantsMorning: try row.get("morning"),
            goal: try RisingLimit(goal: row),
            joinedAt: try row.get("joined_at"))
    }
}

extension RisingLimit {
    /// From the columns `goal_minutes`, `next_goal_minutes` and `next_goal_on` (a day number).
    init(goal row: PostgresRow) throws {
        let from: DayNumber? = try row.get("next_goal_on")
        let next: Int? = try row.get("next_goal_minutes")
        self.init(try row.get("goal_minutes"), next: from.map { Waiting(value: next, from: $0) })
    }
}
