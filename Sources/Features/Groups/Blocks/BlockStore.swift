import Auth
import FeatureKit
import Foundation
import HTTPKit
import Postgres

/// All SQL that writes `blocks`.
///
/// A block is found by the id of the blocked account, or by the hash of its number when the account was deleted since. A
/// new account with the number gets the block's id (`recognise`) before it joins a group. So for members of groups, ids
/// are enough.
struct BlockStore: Sendable {
    let postgres: PostgresClient
    let hashes: NumberHashes

    init(postgres: PostgresClient, hashes: NumberHashes) {
        self.postgres = postgres
        self.hashes = hashes
    }

    /// The people whom the user blocks, newest first, without deleted accounts.
    func list(by user: UserID) async throws -> [BlockedPerson] {
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

    func delete(of blocked: UserID, by blocker: UserID) async throws {
        // Triggers: blocks_record (migrations/schema.sql)
        try await postgres.execute(
            "DELETE FROM blocks WHERE blocker_id = \(blocker) AND blocked_id = \(blocked)")
    }

    // MARK: - In a transaction

    func exists(_ tx: PostgresTransaction, of blocked: UserID, by blocker: UserID) throws -> Bool {
        try tx.first(
            "SELECT 1 AS one FROM blocks WHERE blocker_id = \(blocker) AND blocked_id = \(blocked)") != nil
    }

    func insert(_ tx: PostgresTransaction, of blocked: UserProfile, by blocker: UserID) throws {
        // A block that was made under an earlier secret keeps its hash, because the journal of erasures knows the block by it.
        let known = try tx.execute(
            """
            UPDATE blocks SET blocked_id = \(blocked.id)
            WHERE blocker_id = \(blocker) AND number_hmac = ANY(\(hashes.all(blocked.phoneNumber)))
            """)
        guard known == 0 else { return }
        // Triggers: blocks_record (migrations/schema.sql)
        try tx.execute(
            """
            INSERT INTO blocks (blocker_id, number_hmac, blocked_id)
            VALUES (\(blocker), \(hashes.hash(blocked.phoneNumber)), \(blocked.id))
            ON CONFLICT (blocker_id, number_hmac) DO UPDATE SET blocked_id = excluded.blocked_id
            """)
    }

    /// Links blocks of an earlier account with the user's number to the user. Call it before the user joins a group.
    func recognise(_ tx: PostgresTransaction, _ user: UserProfile) throws {
        try tx.execute(
            """
            UPDATE blocks SET blocked_id = \(user.id)
            WHERE number_hmac = ANY(\(hashes.all(user.phoneNumber))) AND blocked_id IS NULL
            """)
    }

    /// The numbers whose owners cannot join the group, because of a block between them and a member.
    func keptOut(
        _ tx: PostgresTransaction, of group: GroupID, among numbers: [PhoneNumber]
    ) throws -> Set<String> {
        let pairs = hashes.pairs(numbers)
        let rows = try tx.query(
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

    /// Locks all blocks by and of the user, in the order of their keys, before the account is deleted. Another account may
    /// be deleted at the same time.
    func lockAll(_ tx: PostgresTransaction, about user: UserID) throws {
        try tx.execute(
            """
            SELECT 1 FROM blocks WHERE blocker_id = \(user) OR blocked_id = \(user)
            ORDER BY blocker_id, number_hmac
            FOR UPDATE
            """)
    }

    // MARK: - Conditions

    /// Whether there is a block between the user and the inviter of the invitation `i`, or a member of its group.
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

    /// Whether there is a block between the user and the user `u`, whose number has the hash `n.hash`.
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

    // MARK: - Export and restore

    /// The blocks by the user. Blocks by others of the user are left out.
    func export(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        [
            "blocks": try tx.exported(
                """
                SELECT blocked_id, created_at FROM blocks WHERE blocker_id = \(user)
                ORDER BY created_at, blocked_id
                """)
        ]
    }

    /// - Returns: the number of changed rows.
    func set(_ hash: [UInt8], by blocker: UserID, isInForce: Bool) async throws -> Int {
        guard isInForce else {
            // Triggers: blocks_record (migrations/schema.sql)
            return try await postgres.execute(
                "DELETE FROM blocks WHERE blocker_id = \(blocker) AND number_hmac = \(hash)")
        }
        // Triggers: blocks_record (migrations/schema.sql)
        return try await postgres.execute(
            """
            INSERT INTO blocks (blocker_id, number_hmac) VALUES (\(blocker), \(hash)) ON CONFLICT DO NOTHING
            """)
    }

    /// Finds the hashes among the given ones that have blocks without a blocked account.
    func unrecognised(among hashes: [[UInt8]]) async throws -> Set<[UInt8]> {
        let rows = try await postgres.query(
            "SELECT DISTINCT number_hmac FROM blocks WHERE number_hmac = ANY(\(hashes)) AND blocked_id IS NULL"
        )
        return Set(try rows.map { try $0.get("number_hmac") })
    }
}

/// A person whom the caller blocks.
struct BlockedPerson: Sendable {
    let id: UserID
    let firstName: String?
    let blockedAt: Date
}
