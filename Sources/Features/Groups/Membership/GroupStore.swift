import FeatureKit
import Auth
import Foundation
import Postgres

/// Groups, their members and what happened there: all SQL that writes `groups`, `group_members`, `former_members` and
/// `group_events`, but for the events of photos, which triggers write.
///
/// Lock order, here and wherever this is called: users, then groups, then members, then invites, then blocks, then
/// rate counters; several of a kind by their keys.
/// Every change of a group's members holds the group's row, so counting under that lock is right; whoever joins or
/// creates also holds his own user row, so counting his groups is right as well.
package struct GroupStore: Sendable {
    let postgres: PostgresClient

    package init(postgres: PostgresClient) {
        self.postgres = postgres
    }

    /// Whether the user is in the group now.
    /// - Throws: `GroupError.notFound` when there is no such group or he is not in it.
    package func requireMember(group: GroupID, user: UserID) async throws {
        guard try await postgres.first(Self.membership(of: user, in: group, lock: false)) != nil else {
            throw GroupError.notFound
        }
    }

    /// The same inside a transaction.
    /// - Parameter lock: keep it true until the transaction ends: leaving and removal wait (`FOR SHARE`).
    package func requireMember(
        in transaction: PostgresTransaction, group: GroupID, user: UserID, lock: Bool
    ) throws {
        guard try transaction.first(Self.membership(of: user, in: group, lock: lock)) != nil else {
            throw GroupError.notFound
        }
    }

    /// All groups of the user, oldest first.
    package func views(for user: UserID) async throws -> [GroupView] {
        try await postgres.query(Self.viewQuery(for: user)).map(Self.view)
    }

    /// One group as the user sees it.
    package func requireView(of group: GroupID, for user: UserID) async throws -> GroupView {
        guard let row = try await postgres.first(Self.viewQuery(for: user, only: group)) else {
            throw GroupError.notFound
        }
        return try Self.view(row)
    }

    func requireView(
        in transaction: PostgresTransaction, of group: GroupID, for user: UserID
    ) throws -> GroupView {
        guard let row = try transaction.first(Self.viewQuery(for: user, only: group)) else {
            throw GroupError.notFound
        }
        return try Self.view(row)
    }

    // MARK: Changes, in a transaction

    /// Holds the group's row for one of its members: their membership cannot end before the transaction does, nor can
    /// anybody else's begin or end.
    ///
    /// The membership is checked before the row is locked, so that nobody else can hold up the group, and once more
    /// under the lock.
    /// - Returns: the group's name.
    /// - Throws: `GroupError.notFound` when there is no such group or the user is not in it.
    func lockAsMember(
        in transaction: PostgresTransaction, group: GroupID, user: UserID
    ) throws -> String {
        let locked = try transaction.first(
            """
            SELECT name FROM groups
            WHERE id = \(group)
                AND EXISTS (SELECT FROM group_members WHERE group_id = \(group) AND user_id = \(user))
            FOR NO KEY UPDATE
            """)
        guard let locked else { throw GroupError.notFound }
        try requireMember(in: transaction, group: group, user: user, lock: false)
        return try locked.get("name")
    }

    /// Holds the row of the group that an invitation is to.
    func lockInvited(
        in transaction: PostgresTransaction, code: InvitationCode, phoneNumber: PhoneNumber
    ) throws -> JoinedGroup? {
        try transaction.first(
            """
            SELECT id, name FROM groups
            WHERE id = (SELECT group_id FROM invites WHERE code = \(code) AND phone_number = \(phoneNumber))
            FOR NO KEY UPDATE
            """
        ).map { JoinedGroup(id: try $0.get("id"), name: try $0.get("name")) }
    }

    /// Right only while the user's row is held.
    func countGroups(in transaction: PostgresTransaction, of user: UserID) throws -> Int {
        try Self.count(
            transaction.first("SELECT count(*) AS count FROM group_members WHERE user_id = \(user)"))
    }

    /// Right only while the group's row is held.
    func countMembers(in transaction: PostgresTransaction, of group: GroupID) throws -> Int {
        try Self.count(
            transaction.first("SELECT count(*) AS count FROM group_members WHERE group_id = \(group)"))
    }

    /// Which of the numbers are members'.
    func memberNumbers(
        in transaction: PostgresTransaction, group: GroupID, among numbers: [PhoneNumber]
    ) throws -> Set<String> {
        let rows = try transaction.query(
            """
            SELECT u.phone_number
            FROM group_members m
            JOIN users u ON u.id = m.user_id
            WHERE m.group_id = \(group) AND u.phone_number = ANY(\(numbers))
            """)
        return Set(try rows.map { try $0.get("phone_number") })
    }

    func insertGroup(in transaction: PostgresTransaction, id: GroupID, name: String) throws {
        try transaction.execute("INSERT INTO groups (id, name) VALUES (\(id), \(name))")
    }

    func rename(in transaction: PostgresTransaction, group: GroupID, to name: String) throws {
        let renamed = try transaction.execute(
            "UPDATE groups SET name = \(name) WHERE id = \(group) AND name <> \(name)")
        if renamed > 0 { try record(in: transaction, .groupRenamed, in: [group]) }
    }

    func insertMember(in transaction: PostgresTransaction, group: GroupID, user: UserID) throws {
        try transaction.execute("INSERT INTO group_members (group_id, user_id) VALUES (\(group), \(user))")
        try record(in: transaction, .memberJoined, of: user, in: [group])
    }

    func deleteMember(in transaction: PostgresTransaction, group: GroupID, user: UserID) throws {
        let deleted = try transaction.execute(
            """
            WITH gone AS (
                DELETE FROM group_members WHERE group_id = \(group) AND user_id = \(user)
                RETURNING group_id, user_id
            )
            \(fragment: Self.insertFormerMembers)
            """)
        guard deleted == 1 else { throw GroupError.notFound }
        try record(in: transaction, .memberLeft, of: user, in: [group])
    }

    /// Holds the rows of all groups that the user is in, in the order of their ids, and ends his memberships. Groups
    /// that he has only photos in are held too: these will go with his account, and the groups' logs say so.
    /// - Returns: the groups that he was in.
    func deleteMemberships(in transaction: PostgresTransaction, of user: UserID) throws -> [GroupID] {
        _ = try lockAll(in: transaction, seeing: user)
        let left: [GroupID] = try transaction.query(
            "DELETE FROM group_members WHERE user_id = \(user) RETURNING group_id"
        ).map { try $0.get("group_id") }
        try record(in: transaction, .memberLeft, of: user, in: left)
        return left
    }

    /// Holds the rows of all groups that both are in, in the order of their ids, and ends the one's memberships. Both
    /// users' rows are held: neither joins another group meanwhile.
    /// - Returns: those groups. The other is still in them.
    func deleteSharedMemberships(
        in transaction: PostgresTransaction, of user: UserID, with other: UserID
    ) throws -> [GroupID] {
        try transaction.execute(
            """
            SELECT 1 FROM groups
            WHERE id IN (SELECT group_id FROM group_members WHERE user_id = \(user))
            AND id IN (SELECT group_id FROM group_members WHERE user_id = \(other))
            ORDER BY id
            FOR NO KEY UPDATE
            """)
        let left: [GroupID] = try transaction.query(
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
        try record(in: transaction, .memberLeft, of: user, in: left)
        return left
    }

    /// Those of the groups, whose rows are held, that nobody is in.
    func empty(in transaction: PostgresTransaction, among groups: [GroupID]) throws -> [GroupID] {
        try transaction.query(
            """
            SELECT g.id FROM groups g
            WHERE g.id = ANY(\(groups))
            AND NOT EXISTS (SELECT 1 FROM group_members m WHERE m.group_id = g.id)
            """
        ).map { try $0.get("id") }
    }

    /// Everything that belongs to the groups goes with them.
    func delete(in transaction: PostgresTransaction, groups: [GroupID]) throws {
        guard !groups.isEmpty else { return }
        try transaction.execute("DELETE FROM groups WHERE id = ANY(\(groups))")
    }

    /// Remembers the members `gone`, whose rows the statement deletes.
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
