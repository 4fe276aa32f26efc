import Auth
import FeatureKit
import Foundation
import Postgres

/// All SQL that writes `invites`. An invitation is open until it is used, revoked or expired.
struct InvitationStore: Sendable {
    let postgres: PostgresClient
    let blocks: BlockStore

    init(postgres: PostgresClient, blocks: BlockStore) {
        self.postgres = postgres
        self.blocks = blocks
    }

    /// The invitation with a code, as the redeeming caller sees it.
    struct Found {
        let id: InvitationID
        let group: GroupID
        /// Whether the invitation is open and no block keeps the caller out.
        let isOpen: Bool
        let isUsedByCaller: Bool
        let isCallerMember: Bool
    }

    private static let isOpen: SQL = "i.used_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > now()"

    /// The open invitations to the user's number, oldest first. Invitations to groups that the user is in, or that a block
    /// keeps the user out of, are left out.
    func open(for user: UserProfile) async throws -> [OwnInvitation] {
        try await postgres.query(
            """
            SELECT i.id, i.code, i.group_id, g.name AS group_name, inviter.first_name AS invited_by, i.expires_at
            FROM invites i
            JOIN groups g ON g.id = i.group_id
            LEFT JOIN users inviter ON inviter.id = i.invited_by
            WHERE i.phone_number = \(user.phoneNumber) AND \(fragment: Self.isOpen)
            AND NOT EXISTS (
                SELECT 1 FROM group_members m WHERE m.group_id = i.group_id AND m.user_id = \(user.id)
            )
            AND NOT \(fragment: blocks.forbids(invitationTo: user))
            ORDER BY i.created_at, i.id
            """
        ).map { row in
            OwnInvitation(
                id: try row.get("id"), code: try row.get("code"), group: try row.get("group_id"),
                groupName: try row.get("group_name"), invitedBy: try row.get("invited_by"),
                expiresAt: try row.get("expires_at"))
        }
    }

    /// The open invitations of a group, oldest first, for one of its members.
    ///
    /// - Throws: `GroupError.notFound` unless the user is a member.
    func open(of group: GroupID, for user: UserID) async throws -> [GroupInvitation] {
        let rows = try await postgres.query(
            """
            SELECT i.id, CASE WHEN i.invited_by = mine.user_id THEN i.phone_number END AS phone_number, i.code,
                inviter.first_name AS invited_by, i.created_at, i.expires_at
            FROM group_members mine
            LEFT JOIN invites i ON i.group_id = mine.group_id AND \(fragment: Self.isOpen)
            LEFT JOIN users inviter ON inviter.id = i.invited_by
            WHERE mine.group_id = \(group) AND mine.user_id = \(user)
            ORDER BY i.created_at, i.id
            """)
        // A member of a group without open invitations gets one row of nulls. A user who is not a member gets no row.
        guard !rows.isEmpty else { throw GroupError.notFound }
        return try rows.compactMap { row in
            guard let id: InvitationID = try row.get("id") else { return nil }
            return GroupInvitation(
                id: id, phoneNumber: try row.get("phone_number"), code: try row.get("code"),
                invitedBy: try row.get("invited_by"), createdAt: try row.get("created_at"),
                expiresAt: try row.get("expires_at"))
        }
    }

    /// Revokes an open invitation of a group that the user is in.
    ///
    /// - Throws: `GroupError.notFound`.
    func revoke(_ invitation: InvitationID, by user: UserID) async throws {
        // Triggers: invites_record_end (migrations/schema.sql)
        let revoked = try await postgres.execute(
            """
            UPDATE invites i SET revoked_at = now()
            FROM group_members m
            WHERE i.id = \(invitation) AND m.group_id = i.group_id AND m.user_id = \(user)
            AND \(fragment: Self.isOpen)
            """)
        guard revoked == 1 else { throw GroupError.notFound }
    }

    // MARK: - In a transaction

    /// Locks the invitation's row. Lock the group's row first.
    func lockIfPresent(
        _ tx: PostgresTransaction, code: InvitationCode, for caller: UserProfile
    ) throws -> Found? {
        try tx.first(
            """
            SELECT i.id, i.group_id,
                \(fragment: Self.isOpen) AND NOT \(fragment: blocks.forbids(invitationTo: caller)) AS is_open,
                coalesce(i.used_by = \(caller.id), false) AS is_used_by_caller,
                EXISTS (
                    SELECT 1 FROM group_members m
                    WHERE m.group_id = i.group_id AND m.user_id = \(caller.id)
                ) AS is_caller_member
            FROM invites i
            WHERE i.code = \(code) AND i.phone_number = \(caller.phoneNumber)
            FOR UPDATE
            """
        ).map { row in
            Found(
                id: try row.get("id"), group: try row.get("group_id"), isOpen: try row.get("is_open"),
                isUsedByCaller: try row.get("is_used_by_caller"),
                isCallerMember: try row.get("is_caller_member"))
        }
    }

    func markUsed(_ tx: PostgresTransaction, _ invitation: InvitationID, by user: UserID) throws {
        // Triggers: invites_record_end (migrations/schema.sql)
        try tx.execute(
            "UPDATE invites SET used_at = now(), used_by = \(user) WHERE id = \(invitation)")
    }

    /// The open invitations of the group to the numbers, by number.
    func open(
        _ tx: PostgresTransaction, group: GroupID, among numbers: [PhoneNumber]
    ) throws -> [String: OpenInvitation] {
        let rows = try tx.query(
            """
            SELECT i.phone_number, i.id, i.code
            FROM invites i
            WHERE i.group_id = \(group) AND i.phone_number = ANY(\(numbers))
            AND \(fragment: Self.isOpen)
            """)
        return try rows.reduce(into: [:]) { found, row in
            found[try row.get("phone_number", as: String.self)] = OpenInvitation(
                id: try row.get("id"), code: try row.get("code"))
        }
    }

    /// The numbers among these whose owners are members by an invitation of the user.
    func accepted(
        _ tx: PostgresTransaction, group: GroupID, among numbers: Set<String>, invitedBy user: UserID
    ) throws -> Set<String> {
        let rows = try tx.query(
            """
            SELECT i.phone_number
            FROM invites i
            JOIN group_members m ON m.group_id = i.group_id AND m.user_id = i.used_by
            WHERE i.group_id = \(group) AND i.phone_number = ANY(\(numbers.sorted())) AND i.invited_by = \(user)
            """)
        return Set(try rows.map { try $0.get("phone_number") })
    }

    /// The number of the group's open invitations, and the time until the first of them expires. It is right only while the
    /// group's row is locked.
    func countOpen(
        _ tx: PostgresTransaction, group: GroupID
    ) throws -> (count: Int, untilNextExpiry: Duration) {
        let row = try tx.first(
            """
            SELECT count(*) AS count,
                coalesce(ceil(extract(epoch FROM min(i.expires_at) - now())), 1)::bigint AS seconds
            FROM invites i
            WHERE i.group_id = \(group) AND \(fragment: Self.isOpen)
            """)
        return (try row?.get("count") ?? 0, .seconds(try row?.get("seconds", as: Int.self) ?? 1))
    }

    /// - Returns: false when the number already has an invitation with this code.
    func insert(
        _ tx: PostgresTransaction, _ invitation: OpenInvitation, group: GroupID, phoneNumber: PhoneNumber,
        invitedBy: UserID, lifetime: Duration
    ) throws -> Bool {
        try tx.execute(
            """
            INSERT INTO invites (id, code, group_id, phone_number, invited_by, expires_at)
            VALUES (
                \(invitation.id), \(invitation.code), \(group), \(phoneNumber), \(invitedBy),
                now() + \(lifetime)
            )
            ON CONFLICT (phone_number, code) DO NOTHING
            """) == 1
    }

    /// The numbers of people whom the user may find by their numbers.
    func discoverable(
        _ tx: PostgresTransaction, among numbers: [PhoneNumber], for user: UserProfile
    ) throws -> Set<String> {
        let pairs = blocks.hashes.pairs(numbers)
        let rows = try tx.query(
            """
            SELECT u.phone_number
            FROM unnest(\(pairs.numbers), \(pairs.hashes)) AS n (number, hash)
            JOIN users u ON u.phone_number = n.number
            GROUP BY u.phone_number
            HAVING bool_and(u.discoverable AND NOT \(fragment: blocks.isBetween(user)))
            """)
        return Set(try rows.map { try $0.get("phone_number") })
    }

    /// Deletes all invitations of groups before the groups are deleted.
    func delete(_ tx: PostgresTransaction, of groups: [GroupID]) throws {
        try delete(tx, where: "group_id = ANY(\(groups))")
    }

    /// Locks all invitations to a group in the order of their ids, before the group is deleted.
    func lockAll(_ tx: PostgresTransaction, of group: GroupID) throws {
        try tx.execute("SELECT 1 FROM invites WHERE group_id = \(group) ORDER BY id FOR UPDATE")
    }

    /// Deletes the invitations of an account before the account is deleted: all invitations of the groups that are deleted
    /// with it, all to its number, and the unused ones that it made.
    func delete(_ tx: PostgresTransaction, of groups: [GroupID], leftBy user: UserID) throws {
        try delete(
            tx,
            where: """
                group_id = ANY(\(groups))
                OR phone_number = (SELECT phone_number FROM users WHERE id = \(user))
                OR (invited_by = \(user) AND used_at IS NULL)
                """)
    }

    /// Locks the rows in the order of their ids, so that two transactions cannot deadlock.
    private func delete(_ tx: PostgresTransaction, where condition: SQL) throws {
        // Triggers: invites_record_erasure (migrations/schema.sql)
        try tx.execute(
            """
            DELETE FROM invites WHERE id IN (
                SELECT id FROM invites WHERE \(fragment: condition) ORDER BY id FOR UPDATE
            )
            """)
    }

    /// Deletes invitations that were used, revoked or expired more than `retention` ago, a batch at a time.
    ///
    /// - Returns: the number of deleted invitations.
    func deleteFinished(retention: Duration, lifetime: Duration, batch: Int) async throws -> Int {
        // The second condition follows from the first. It is there for the index on expires_at.
        // Triggers: invites_record_erasure (migrations/schema.sql)
        try await postgres.executeInBatches(of: batch) { batch in
            """
            DELETE FROM invites WHERE id IN (
                SELECT id FROM invites
                WHERE least(used_at, revoked_at, expires_at) < now() - \(retention)
                AND expires_at < now() - \(retention - lifetime)
                LIMIT \(batch)
                FOR UPDATE SKIP LOCKED
            )
            """
        }
    }
}
