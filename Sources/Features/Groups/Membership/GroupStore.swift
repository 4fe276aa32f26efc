import Auth
import FeatureKit
import Foundation
import Postgres

/// All SQL that writes `groups`, `group_members`, `former_members` and `group_events`, except for events of photos, which
/// triggers write.
///
/// Lock order, here and in all callers: users, groups, members, invites, blocks, rate counters; rows of one table by their
/// keys. Every change of a group's members locks the group's row, so counting members under that lock is right. A user who
/// joins or creates a group also has their own row locked, so counting their groups is right too.
struct GroupStore: Sendable {
    let postgres: PostgresClient

    init(postgres: PostgresClient) {
        self.postgres = postgres
    }

    /// - Throws: `GroupError.notFound` unless the user is in the group now.
    func requireMember(group: GroupID, user: UserID) async throws {
        guard try await postgres.first(Self.membership(of: user, in: group, lock: false)) != nil else {
            throw GroupError.notFound
        }
    }

    /// - Parameter lock: keeps the user in the group until the transaction ends. Leaving and removal wait (`FOR SHARE`).
    /// - Throws: `GroupError.notFound` unless the user is in the group now.
    func requireMember(
        _ tx: PostgresTransaction, group: GroupID, user: UserID, lock: Bool
    ) throws {
        guard try tx.first(Self.membership(of: user, in: group, lock: lock)) != nil else {
            throw GroupError.notFound
        }
    }

    /// One group as the user sees it.
    func requireView(
        _ tx: PostgresTransaction, of group: GroupID, for user: UserID
    ) throws -> GroupView {
        guard let row = try tx.first(Self.viewQuery(for: user, only: group)) else {
            throw GroupError.notFound
        }
        return try Self.view(row)
    }

    // MARK: - Changes, in a transaction

    /// Locks the group's row for one of its members. Until the transaction ends, no membership of the group begins or ends.
    ///
    /// The membership is checked before the row is locked, so that a user outside the group cannot hold the group up, and
    /// checked again under the lock.
    ///
    /// - Returns: the group's name.
    /// - Throws: `GroupError.notFound` when the group does not exist or the user is not a member.
    func requireLocked(
        _ tx: PostgresTransaction, _ group: GroupID, asMember user: UserID
    ) throws -> String {
        let locked = try tx.first(
            """
            SELECT name FROM groups
            WHERE id = \(group)
                AND EXISTS (SELECT FROM group_members WHERE group_id = \(group) AND user_id = \(user))
            FOR NO KEY UPDATE
            """)
        guard let locked else { throw GroupError.notFound }
        try requireMember(tx, group: group, user: user, lock: false)
        return try locked.get("name")
    }

    /// Locks the group's row, so that this transaction's events get the group's next numbers.
    ///
    /// - Throws: `GroupError.notFound` when the group does not exist.
    func requireLocked(_ tx: PostgresTransaction, _ group: GroupID) throws {
        guard try lockIfPresent(tx, group) else { throw GroupError.notFound }
    }

    /// - Returns: false when the group does not exist.
    func lockIfPresent(_ tx: PostgresTransaction, _ group: GroupID) throws -> Bool {
        try tx.first("SELECT 1 AS one FROM groups WHERE id = \(group) FOR NO KEY UPDATE") != nil
    }

    /// Locks the row of the group that an invitation is for.
    func lockInvited(
        _ tx: PostgresTransaction, code: InvitationCode, phoneNumber: PhoneNumber
    ) throws -> JoinedGroup? {
        try tx.first(
            """
            SELECT id, name FROM groups
            WHERE id = (SELECT group_id FROM invites WHERE code = \(code) AND phone_number = \(phoneNumber))
            FOR NO KEY UPDATE
            """
        ).map { JoinedGroup(id: try $0.get("id"), name: try $0.get("name")) }
    }

    /// The count is right only while the user's row is locked.
    func countGroups(_ tx: PostgresTransaction, of user: UserID) throws -> Int {
        try Self.count(
            tx.first("SELECT count(*) AS count FROM group_members WHERE user_id = \(user)"))
    }

    /// The count is right only while the group's row is locked.
    func countMembers(_ tx: PostgresTransaction, of group: GroupID) throws -> Int {
        try Self.count(
            tx.first("SELECT count(*) AS count FROM group_members WHERE group_id = \(group)"))
    }

    /// Finds the numbers among the given ones that belong to members.
    func memberNumbers(
        _ tx: PostgresTransaction, group: GroupID, among numbers: [PhoneNumber]
    ) throws -> Set<String> {
        let rows = try tx.query(
            """
            SELECT u.phone_number
            FROM group_members m
            JOIN users u ON u.id = m.user_id
            WHERE m.group_id = \(group) AND u.phone_number = ANY(\(numbers))
            """)
        return Set(try rows.map { try $0.get("phone_number") })
    }

    func insertGroup(_ tx: PostgresTransaction, id: GroupID, name: String) throws {
        try tx.execute("INSERT INTO groups (id, name) VALUES (\(id), \(name))")
    }

    func rename(_ tx: PostgresTransaction, group: GroupID, to name: String) throws {
        let renamed = try tx.execute(
            "UPDATE groups SET name = \(name) WHERE id = \(group) AND name <> \(name)")
        if renamed > 0 { try record(tx, .groupRenamed, in: [group]) }
    }

    func insertMember(_ tx: PostgresTransaction, group: GroupID, user: UserID) throws {
        try tx.execute("INSERT INTO group_members (group_id, user_id) VALUES (\(group), \(user))")
        try record(tx, .memberJoined, of: user, in: [group])
    }

    /// - Throws: `GroupError.notFound` when the user is not a member.
    func deleteMember(_ tx: PostgresTransaction, group: GroupID, user: UserID) throws {
        // Triggers: group_members_record_end (migrations/schema.sql)
        let deleted = try tx.execute(
            """
            WITH gone AS (
                DELETE FROM group_members WHERE group_id = \(group) AND user_id = \(user)
                RETURNING group_id, user_id
            )
            \(fragment: Self.insertFormerMembers)
            """)
        guard deleted == 1 else { throw GroupError.notFound }
        try record(tx, .memberLeft, of: user, in: [group])
    }

    /// Ends all memberships of the user. Locks the rows of their groups in the order of their ids. Also locks the groups in
    /// which the user only has photos, because deleting the account deletes these photos and writes events about them.
    ///
    /// - Returns: the groups that the user was in.
    func deleteMemberships(_ tx: PostgresTransaction, of user: UserID) throws -> [GroupID] {
        _ = try lockAll(tx, seeing: user)
        // Triggers: group_members_record_end (migrations/schema.sql)
        let left: [GroupID] = try tx.query(
            "DELETE FROM group_members WHERE user_id = \(user) RETURNING group_id"
        ).map { try $0.get("group_id") }
        try record(tx, .memberLeft, of: user, in: left)
        return left
    }

    /// Ends the memberships of `user` in all groups that both users are in. Locks the rows of these groups in the order of
    /// their ids. The transaction has locked the rows of both users, so neither joins another group meanwhile.
    ///
    /// - Returns: these groups. `other` is still a member of them.
    func deleteSharedMemberships(
        _ tx: PostgresTransaction, of user: UserID, with other: UserID
    ) throws -> [GroupID] {
        try tx.execute(
            """
            SELECT 1 FROM groups
            WHERE id IN (SELECT group_id FROM group_members WHERE user_id = \(user))
            AND id IN (SELECT group_id FROM group_members WHERE user_id = \(other))
            ORDER BY id
            FOR NO KEY UPDATE
            """)
        // Triggers: group_members_record_end (migrations/schema.sql)
        let left: [GroupID] = try tx.query(
            """
            WITH gone AS (
                DELETE FROM group_members
                WHERE user_id = \(user)
                AND group_id IN (SELECT group_id FROM group_members WHERE user_id = \(other))
                RETURNING group_id, user_id
            )
            \(fragment: Self.insertFormerMembers)
            RETURNING group_id
            """
        ).map { try $0.get("group_id") }
        try record(tx, .memberLeft, of: user, in: left)
        return left
    }

    /// Finds the groups among the given ones that have no members. The transaction has locked their rows.
    func empty(_ tx: PostgresTransaction, among groups: [GroupID]) throws -> [GroupID] {
        try tx.query(
            """
            SELECT g.id FROM groups g
            WHERE g.id = ANY(\(groups))
            AND NOT EXISTS (SELECT 1 FROM group_members m WHERE m.group_id = g.id)
            """
        ).map { try $0.get("id") }
    }

    /// Deletes the groups with everything that belongs to them.
    func delete(_ tx: PostgresTransaction, groups: [GroupID]) throws {
        guard !groups.isEmpty else { return }
        // Triggers: groups_record_erasure (migrations/schema.sql)
        try tx.execute("DELETE FROM groups WHERE id = ANY(\(groups))")
    }

    /// Records the members that the statement deletes, named `gone`.
    private static let insertFormerMembers: SQL = """
        INSERT INTO former_members (group_id, user_id)
        SELECT group_id, user_id FROM gone
        ON CONFLICT (group_id, user_id) DO UPDATE SET left_at = excluded.left_at
        """

    private static func membership(of user: UserID, in group: GroupID, lock: Bool) -> SQL {
        let suffix: SQL = lock ? "FOR SHARE" : ""
        return """
            SELECT 1 AS one FROM group_members
            WHERE group_id = \(group) AND user_id = \(user)
            \(fragment: suffix)
            """
    }

    private static func count(_ row: PostgresRow?) throws -> Int {
        try row?.get("count") ?? 0
    }
}
