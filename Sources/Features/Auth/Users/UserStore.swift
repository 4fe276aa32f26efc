import FeatureKit
import Foundation
import Postgres

/// All SQL about `users`.
struct UserStore: Sendable {
    let postgres: PostgresClient

    /// - Throws: `AuthError.userGone`.
    func require(_ id: UserID) async throws -> UserProfile {
        try Self.require(
            in: try await postgres.query(
                "SELECT \(fragment: UserProfile.columns) FROM users WHERE id = \(id)"))
    }

    /// - Throws: `AuthError.userGone`.
    static func require(_ caller: Caller) async throws -> UserProfile {
        try require(in: try await caller.query(profiles) { [$0.rawValue] }.rows)
    }

    /// The key is the user. LIMIT keeps the subquery apart, so that PostgreSQL reads by the index for one user after the other.
    private static let profiles = SharedQuery { keys in
        """
        SELECT asked.place, profile.*
        FROM \(fragment: keys.table("user_id"))
        CROSS JOIN LATERAL (
            SELECT \(fragment: UserProfile.columns) FROM users WHERE id = asked.user_id LIMIT 1
        ) AS profile
        """
    }

    private static func require(in rows: [PostgresRow]) throws -> UserProfile {
        guard let row = rows.first else { throw AuthError.userGone }
        return try UserProfile(row)
    }

    /// Locks the user's row until the end of the transaction.
    ///
    /// - Throws: `AuthError.userGone`.
    func requireLocked(_ tx: PostgresTransaction, _ id: UserID) throws -> UserProfile {
        let row = try tx.first(
            "SELECT \(fragment: UserProfile.columns) FROM users WHERE id = \(id) FOR NO KEY UPDATE")
        guard let row else { throw AuthError.userGone }
        return try UserProfile(row)
    }

    /// Locks the rows of several users in the order of their ids.
    ///
    /// - Returns: the users that exist.
    func lockIfPresent(_ tx: PostgresTransaction, _ ids: [UserID]) throws -> [UserProfile] {
        try tx.query(
            """
            SELECT \(fragment: UserProfile.columns) FROM users WHERE id = ANY(\(ids)) ORDER BY id
            FOR NO KEY UPDATE
            """
        ).map(UserProfile.init)
    }

    func find(_ tx: PostgresTransaction, _ id: UserID) throws -> UserProfile? {
        try tx.first("SELECT \(fragment: UserProfile.columns) FROM users WHERE id = \(id)").map(
            UserProfile.init)
    }

    /// - Throws: `AuthError.userGone`.
    func require(_ tx: PostgresTransaction, _ id: UserID) throws -> UserProfile {
        guard let user = try find(tx, id) else { throw AuthError.userGone }
        return user
    }

    /// The user with a number. Creates them when there is none. Two sign-ins at the same time get the same user.
    ///
    /// - Throws: `AuthError.signInContended`.
    func findOrCreate(
        _ tx: PostgresTransaction, _ number: PhoneNumber, firstName: DisplayName?, timeZone: String?
    ) throws -> (user: UserProfile, isNew: Bool) {
        // Another transaction may delete the account between the two statements. Then the number is free again.
        for _ in 1...3 {
            let inserted = try tx.first(
                """
                INSERT INTO users (id, phone_number, first_name, time_zone)
                VALUES (\(UserID(.version7())), \(number), \(firstName?.rawValue), \(timeZone ?? "UTC"))
                ON CONFLICT (phone_number) DO NOTHING
                RETURNING \(fragment: UserProfile.columns)
                """)
            if let inserted { return (try UserProfile(inserted), true) }
            // The job that deletes dormant accounts checks this day under the same lock. So a sign-in either keeps the account
            // or creates a new one.
            let found = try tx.first(
                """
                UPDATE users SET last_active_on = \(fragment: Self.today)
                WHERE phone_number = \(number)
                RETURNING \(fragment: UserProfile.columns)
                """)
            if let found { return (try UserProfile(found), false) }
        }
        throw AuthError.signInContended
    }

    /// The time of the last change of the time zone, and the present time, which needs to be agreed: the next change has to wait
    /// from then on.
    func timeZoneChange(_ tx: PostgresTransaction, _ id: UserID) throws -> (last: Date?, now: Date) {
        guard let row = try tx.first("SELECT time_zone_changed_at, now() AS now FROM users WHERE id = \(id)")
        else { throw AuthError.userGone }
        let now: Date = try row.get("now")
        try tx.requireAgreed(now)
        return (try row.get("time_zone_changed_at"), now)
    }

    func update(
        _ tx: PostgresTransaction, _ id: UserID, firstName: DisplayName?, timeZone: String?,
        discoverable: Bool?, quiet: QuietChange
    ) throws -> UserProfile {
        let row = try tx.first(
            """
            UPDATE users SET
                first_name = coalesce(\(firstName?.rawValue)::text, first_name),
                time_zone = coalesce(\(timeZone)::text, time_zone),
                time_zone_changed_at = CASE
                    WHEN \(timeZone)::text IS NULL THEN time_zone_changed_at ELSE now()
                END,
                discoverable = coalesce(\(discoverable)::boolean, discoverable),
                quiet_from = CASE
                    WHEN \(quiet.isChange) THEN \(quiet.hours?.from)::text ELSE quiet_from
                END,
                quiet_to = CASE WHEN \(quiet.isChange) THEN \(quiet.hours?.to)::text ELSE quiet_to END
            WHERE id = \(id)
            RETURNING \(fragment: UserProfile.columns)
            """)
        guard let row else { throw AuthError.userGone }
        return try UserProfile(row)
    }

    /// A sign-in locks its verification before the user. If a deletion locked the user first, each could wait for the other.
    func lockVerifications(_ tx: PostgresTransaction, of user: UserID) throws {
        try tx.execute(
            """
            SELECT 1 FROM verifications
            WHERE phone_number = (SELECT phone_number FROM users WHERE id = \(user))
            ORDER BY id
            FOR UPDATE
            """)
    }

    /// Deletes the account, its sessions, and all verifications of its number.
    func delete(_ tx: PostgresTransaction, _ user: UserProfile) throws {
        try tx.execute("DELETE FROM verifications WHERE phone_number = \(user.phoneNumber)")
        // Triggers: users_record_erasure (migrations/schema.sql)
        try tx.execute("DELETE FROM users WHERE id = \(user.id)")
    }

    /// One page of users, in the order of their ids, with the digests by which the journal of erasures knows them.
    func digests(after: UUID, limit: Int) async throws -> [(UserID, PhoneNumber, [UInt8])] {
        try await postgres.query(
            """
            SELECT id, phone_number, erasure_digest('user', id::text) AS digest
            FROM users WHERE id > \(after) ORDER BY id LIMIT \(limit)
            """
        ).map { (try $0.get("id"), try $0.get("phone_number"), try $0.get("digest")) }
    }
}

extension UserProfile {
    static let columns: SQL =
        """
        users.id, users.phone_number, users.first_name, users.time_zone, users.discoverable, users.quiet_from,
        users.quiet_to, users.created_at
        """
}
