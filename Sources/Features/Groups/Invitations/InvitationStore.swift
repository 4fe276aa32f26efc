import FeatureKit
import Auth
import Foundation
import Postgres

/// Invitations: all SQL that writes `invites`. An invitation is open until it is used, revoked or expired.
package struct InvitationStore: Sendable {
    let postgres: PostgresClient
    let blocks: BlockStore

    package init(postgres: PostgresClient, blocks: BlockStore) {
        self.postgres = postgres
        self.blocks = blocks
    }

    /// What a code that is the caller's own leads to.
    struct Found {
        let id: InvitationID
        let group: GroupID
        /// Whether it is open to the caller: no block keeps him out.
        let isOpen: Bool
        let isUsedByCaller: Bool
        let isCallerMember: Bool
    }

    private static let isOpen: SQL = "i.used_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > now()"

    /// The open invitations to the user's number, oldest first; none to a group that he is in or that a block keeps him
    /// out of.
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
    package func open(of group: GroupID, for user: UserID) async throws -> [GroupInvitation] {
        let rows = try await postgres.query(
            """
            SELECT i.id, i.phone_number, i.code, inviter.first_name AS invited_by, i.created_at, i.expires_at
            FROM group_members mine
            LEFT JOIN invites i ON i.group_id = mine.group_id AND \(fragment: Self.isOpen)
            LEFT JOIN users inviter ON inviter.id = i.invited_by
            WHERE mine.group_id = \(group) AND mine.user_id = \(user)
            ORDER BY i.created_at, i.id
            """)
        // A member of a group without open invitations gets one row of nulls; who is no member gets none.
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
    package func revoke(_ invite: InvitationID, by user: UserID) async throws {
        let revoked = try await postgres.execute(
            """
            UPDATE invites i SET revoked_at = now()
            FROM group_members m
            WHERE i.id = \(invite) AND m.group_id = i.group_id AND m.user_id = \(user)
            AND \(fragment: Self.isOpen)
            """)
        guard revoked == 1 else { throw GroupError.notFound }
    }

    // MARK: In a transaction

    /// Holds the invitation's row. The group's row comes first.
    func lock(
        in transaction: PostgresTransaction, code: InvitationCode, for caller: UserProfile
    ) throws -> Found? {
        try transaction.first(
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

    func markUsed(in transaction: PostgresTransaction, invite: InvitationID, by user: UserID) throws {
        try transaction.execute(
            "UPDATE invites SET used_at = now(), used_by = \(user) WHERE id = \(invite)")
    }

    /// The open invitations of the group to any of the numbers.
    func open(
        in transaction: PostgresTransaction, group: GroupID, among numbers: [PhoneNumber]
    ) throws -> [String: OpenInvitation] {
        let rows = try transaction.query(
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

    /// How many open invitations the group has, and how long until the first of them expires. Right only while the
    /// group's row is held.
    func countOpen(
        in transaction: PostgresTransaction, group: GroupID
    ) throws -> (count: Int, untilNextExpiry: Duration) {
        let row = try transaction.first(
            """
            SELECT count(*) AS count,
                coalesce(ceil(extract(epoch FROM min(i.expires_at) - now())), 1)::bigint AS seconds
            FROM invites i
            WHERE i.group_id = \(group) AND \(fragment: Self.isOpen)
            """)
        return (try row?.get("count") ?? 0, .seconds(try row?.get("seconds", as: Int.self) ?? 1))
    }

    /// - Returns: whether the number has no other invitation with this code.
    func insert(
        in transaction: PostgresTransaction, invite: OpenInvitation, group: GroupID, phoneNumber: PhoneNumber,
        invitedBy: UserID, lifetime: Duration
    ) throws -> Bool {
        try transaction.execute(
            """
            INSERT INTO invites (id, code, group_id, phone_number, invited_by, expires_at)
            VALUES (
                \(invite.id), \(invite.code), \(group), \(phoneNumber), \(invitedBy),
                now() + \(lifetime.components.seconds) * interval '1 second'
            )
            ON CONFLICT (phone_number, code) DO NOTHING
            """) == 1
    }

    /// Which of the numbers belong to somebody whom the user may find by them.
    func discoverable(
        in transaction: PostgresTransaction, among numbers: [PhoneNumber], for user: UserProfile
    ) throws -> Set<String> {
        let pairs = blocks.hashes.pairs(numbers)
        let rows = try transaction.query(
            """
            SELECT u.phone_number
            FROM unnest(\(pairs.numbers), \(pairs.hashes)) AS n (number, hash)
            JOIN users u ON u.phone_number = n.number
            GROUP BY u.phone_number
            HAVING bool_and(u.discoverable AND NOT \(fragment: blocks.isBetween(user)))
            """)
        return Set(try rows.map { try $0.get("phone_number") })
    }

    /// Deletes all invitations of groups that are about to go.
    func delete(in transaction: PostgresTransaction, of groups: [GroupID]) throws {
        try delete(in: transaction, where: "group_id = ANY(\(groups))")
    }

    /// Holds all invitations to a group that is about to go, in the order of their ids.
    func lockAll(in transaction: PostgresTransaction, of group: GroupID) throws {
        try transaction.execute("SELECT 1 FROM invites WHERE group_id = \(group) ORDER BY id FOR UPDATE")
    }

    /// Deletes what an account that is about to go leaves behind: all invitations of the groups that go with it, all
    /// to its number, and the open ones that it made.
    func delete(in transaction: PostgresTransaction, of groups: [GroupID], leftBy user: UserID) throws {
        try delete(
            in: transaction,
            where: """
                group_id = ANY(\(groups))
                OR phone_number = (SELECT phone_number FROM users WHERE id = \(user))
                OR (invited_by = \(user) AND used_at IS NULL)
                """)
    }

    /// Takes the rows in the order of their ids, so that two of these never wait for each other.
    private func delete(in transaction: PostgresTransaction, where condition: SQL) throws {
        try transaction.execute(
            """
            DELETE FROM invites WHERE id IN (
                SELECT id FROM invites WHERE \(fragment: condition) ORDER BY id FOR UPDATE
            )
            """)
    }

    /// Deletes up to `limit` invitations that were used, revoked or expired longer than `retention` ago.
    /// - Returns: how many.
    func deleteFinished(retention: Duration, lifetime: Duration, limit: Int) async throws -> Int {
        let seconds = retention.components.seconds
        // The second condition follows from the first, and the index on expires_at serves it.
        return try await postgres.execute(
            """
            DELETE FROM invites WHERE id IN (
                SELECT id FROM invites
                WHERE least(used_at, revoked_at, expires_at) < now() - \(seconds) * interval '1 second'
                AND expires_at < now() - \(seconds - lifetime.components.seconds) * interval '1 second'
                LIMIT \(limit)
                FOR UPDATE SKIP LOCKED
            )
            """)
    }
}
