import FeatureKit
import Foundation
import Postgres

/// The users table, and what other features need of it in their own transactions.
package struct UserStore: Sendable {
    let postgres: PostgresClient

    package init(postgres: PostgresClient) {
        self.postgres = postgres
    }

    /// - Throws: `AuthError.userGone`.
    package func require(_ id: UserID) async throws -> UserProfile {
        let row = try await postgres.first(
            "SELECT \(fragment: UserProfile.columns) FROM users WHERE id = \(id)")
        guard let row else { throw AuthError.userGone }
        return try UserProfile(row)
    }

    /// Locks the user's row to the end of the transaction, so that rules which count what belongs to a user are
    /// decided one after the other. Users come first in the order of locks, by id when there are several.
    ///
    /// - Throws: `AuthError.userGone` (401) when the account was deleted meanwhile.
    package static func lockUser(_ tx: PostgresTransaction, _ id: UserID) throws -> UserProfile {
        let row = try tx.first(
            "SELECT \(fragment: UserProfile.columns) FROM users WHERE id = \(id) FOR NO KEY UPDATE")
        guard let row else { throw AuthError.userGone }
        return try UserProfile(row)
    }

    /// Locks several users' rows as `lockUser` does one, in the order of their ids.
    ///
    /// - Returns: those that there are.
    package static func lockUsers(_ tx: PostgresTransaction, _ ids: [UserID]) throws -> [UserProfile] {
        try tx.query(
            """
            SELECT \(fragment: UserProfile.columns) FROM users WHERE id = ANY(\(ids)) ORDER BY id
            FOR NO KEY UPDATE
            """
        ).map(UserProfile.init)
    }

    static func find(_ tx: PostgresTransaction, _ id: UserID) throws -> UserProfile? {
        try tx.first("SELECT \(fragment: UserProfile.columns) FROM users WHERE id = \(id)").map(
            UserProfile.init)
    }

    /// - Throws: `AuthError.userGone`.
    package static func require(_ tx: PostgresTransaction, _ id: UserID) throws -> UserProfile {
        guard let user = try find(tx, id) else { throw AuthError.userGone }
        return user
    }

    /// Nil when nobody has that number.
    package static func find(_ tx: PostgresTransaction, _ number: PhoneNumber) throws -> UserProfile? {
        try tx.first("SELECT \(fragment: UserProfile.columns) FROM users WHERE phone_number = \(number)")
            .map(UserProfile.init)
    }

    /// The user of that number, made when there is none: two who sign in at once get the same one.
    static func findOrCreate(
        _ tx: PostgresTransaction, _ number: PhoneNumber, firstName: DisplayName?, timeZone: String?
    ) throws -> (user: UserProfile, isNew: Bool) {
        // An account may be deleted between the two statements; then the number is free again.
        for _ in 1...3 {
            let inserted = try tx.first(
                """
                INSERT INTO users (id, phone_number, first_name, time_zone)
                VALUES (\(UserID(.version7())), \(number), \(firstName?.rawValue), \(timeZone ?? "UTC"))
                ON CONFLICT (phone_number) DO NOTHING
                RETURNING \(fragment: UserProfile.columns)
                """)
            if let inserted { return (try UserProfile(inserted), true) }
            // A dormant account is judged by this day under the same lock: whoever signs in keeps it, or finds it gone.
            let found = try tx.first(
                """
                UPDATE users SET last_active_on = \(fragment: today)
                WHERE phone_number = \(number)
                RETURNING \(fragment: UserProfile.columns)
                """)
            if let found { return (try UserProfile(found), false) }
        }
        throw AuthError.overloaded
    }

    /// When the time zone was changed last, and now.
    static func timeZoneChange(_ tx: PostgresTransaction, _ id: UserID) throws -> (last: Date?, now: Date) {
        guard let row = try tx.first("SELECT time_zone_changed_at, now() AS now FROM users WHERE id = \(id)")
        else { throw AuthError.userGone }
        return (try row.get("time_zone_changed_at"), try row.get("now"))
    }

    static func update(
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

    /// Sessions go with the row; codes that are under way for the number go too.
    static func delete(_ tx: PostgresTransaction, _ user: UserProfile) throws {
        try tx.execute("DELETE FROM verifications WHERE phone_number = \(user.phoneNumber)")
        try tx.execute("DELETE FROM users WHERE id = \(user.id)")
    }
}
