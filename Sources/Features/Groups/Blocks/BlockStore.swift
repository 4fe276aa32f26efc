import FeatureKit
import Auth
import Foundation
import Postgres

/// Who blocked whom: all SQL that writes `blocks`.
///
/// A block is found by the blocked account's id, and by its number's hash where that account was deleted since. Who
/// comes to be in a group is recognised by his number first, so ids alone tell everything about those who are in one.
package struct BlockStore: Sendable {
    let postgres: PostgresClient
    let hashes: NumberHashes

    package init(postgres: PostgresClient, hashes: NumberHashes) {
        self.postgres = postgres
        self.hashes = hashes
    }

    /// Whom the user blocks, newest first. Deleted accounts have no place in it.
    package func list(by user: UserID) async throws -> [BlockedPerson] {
        try await postgres.query(
            """
            SELECT u.id, u.first_name, b.created_at
            FROM blocks b
            JOIN users u ON u.id = b.blocked_id
            WHERE b.blocker_id = \(user)
            ORDER BY b.created_at DESC, u.id
            """
        ).map { row in
            BlockedPerson(
                id: try row.get("id"), firstName: try row.get("first_name"),
                blockedAt: try row.get("created_at"))
        }
    }

    package func delete(of blocked: UserID, by blocker: UserID) async throws {
        try await postgres.execute(
            "DELETE FROM blocks WHERE blocker_id = \(blocker) AND blocked_id = \(blocked)")
    }

    // MARK: In a transaction

    func exists(in transaction: PostgresTransaction, of blocked: UserID, by blocker: UserID) throws -> Bool {
        try transaction.first(
            "SELECT 1 AS one FROM blocks WHERE blocker_id = \(blocker) AND blocked_id = \(blocked)") != nil
    }

    func insert(in transaction: PostgresTransaction, of blocked: UserProfile, by blocker: UserID) throws {
        // A block that was made under an earlier secret keeps its hash: the journal of erasures knows it by that.
        let known = try transaction.execute(
            """
            UPDATE blocks SET blocked_id = \(blocked.id)
            WHERE blocker_id = \(blocker) AND number_hmac = ANY(\(hashes.all(blocked.phoneNumber)))
            """)
        guard known == 0 else { return }
        try transaction.execute(
            """
            INSERT INTO blocks (blocker_id, number_hmac, blocked_id)
            VALUES (\(blocker), \(hashes.hash(blocked.phoneNumber)), \(blocked.id))
            ON CONFLICT (blocker_id, number_hmac) DO UPDATE SET blocked_id = excluded.blocked_id
            """)
    }

    /// Lets blocks of an earlier account with the user's number hold for this one. Due before he gets into a group.
    func recognise(in transaction: PostgresTransaction, _ user: UserProfile) throws {
        try transaction.execute(
            """
            UPDATE blocks SET blocked_id = \(user.id)
            WHERE number_hmac = ANY(\(hashes.all(user.phoneNumber))) AND blocked_id IS NULL
            """)
    }

    /// Which of the numbers a block keeps out of the group: one between their owner and a member.
    func keptOut(
        in transaction: PostgresTransaction, of group: GroupID, among numbers: [PhoneNumber]
    ) throws -> Set<String> {
        let pairs = hashes.pairs(numbers)
        let rows = try transaction.query(
            """
            SELECT DISTINCT n.number
            FROM unnest(\(pairs.numbers), \(pairs.hashes)) AS n (number, hash)
            LEFT JOIN users u ON u.phone_number = n.number
            WHERE EXISTS (
                SELECT 1 FROM blocks b
                JOIN group_members m ON m.group_id = \(group) AND m.user_id IN (b.blocker_id, b.blocked_id)
                WHERE (m.user_id = b.blocker_id AND (b.blocked_id = u.id OR b.number_hmac = n.hash))
                OR (m.user_id = b.blocked_id AND b.blocker_id = u.id)
            )
            """)
        return Set(try rows.map { try $0.get("number") })
    }

    /// Holds all rows that are about the user, in the order of their keys: his account is about to go, and others
    /// may be too.
    func lockAll(in transaction: PostgresTransaction, about user: UserID) throws {
        try transaction.execute(
            """
            SELECT 1 FROM blocks WHERE blocker_id = \(user) OR blocked_id = \(user)
            ORDER BY blocker_id, number_hmac
            FOR UPDATE
            """)
    }

    // MARK: Conditions

    /// Whether a block stands between the user and the inviter, or anybody in the group, of the invitation `i`.
    func forbids(invitationTo user: UserProfile) -> SQL {
        """
        EXISTS (
            SELECT 1 FROM blocks b
            WHERE (
                b.blocker_id = \(user.id) AND (
                    b.blocked_id = i.invited_by
                    OR b.blocked_id IN (SELECT m.user_id FROM group_members m WHERE m.group_id = i.group_id)
                )
            ) OR (
                (b.blocked_id = \(user.id) OR b.number_hmac = ANY(\(hashes.all(user.phoneNumber)))) AND (
                    b.blocker_id = i.invited_by
                    OR b.blocker_id IN (SELECT m.user_id FROM group_members m WHERE m.group_id = i.group_id)
                )
            )
        )
        """
    }

    /// Whether a block stands between the user and `u`, whose number's hash is `n.hash`.
    func isBetween(_ user: UserProfile) -> SQL {
        """
        EXISTS (
            SELECT 1 FROM blocks b
            WHERE (b.blocker_id = \(user.id) AND (b.blocked_id = u.id OR b.number_hmac = n.hash))
            OR (
                b.blocker_id = u.id
                AND (b.blocked_id = \(user.id) OR b.number_hmac = ANY(\(hashes.all(user.phoneNumber))))
            )
        )
        """
    }
}

/// Somebody whom the caller blocks.
package struct BlockedPerson: Sendable {
    package let id: UserID
    package let firstName: String?
    package let blockedAt: Date
}
