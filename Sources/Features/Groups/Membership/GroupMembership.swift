import FeatureKit
import Postgres

/// The questions and locks about groups that other features need within their own transactions.
package struct GroupMembership: Sendable {
    private let store: GroupStore

    package init(postgres: PostgresClient) {
        store = GroupStore(postgres: postgres)
    }

    /// - Parameter lock: keeps the user in the group until the transaction ends. Leaving and removal wait.
    /// - Throws: `GroupError.notFound` unless the user is in the group now.
    package func require(_ tx: PostgresTransaction, group: GroupID, user: UserID, lock: Bool) throws {
        try store.requireMember(tx, group: group, user: user, lock: lock)
    }

    /// Locks the group's row, so that this transaction's events get the group's next numbers.
    ///
    /// - Throws: `GroupError.notFound` when the group does not exist.
    package func requireLocked(_ tx: PostgresTransaction, _ group: GroupID) throws {
        try store.requireLocked(tx, group)
    }

    /// Locks those of the groups that no other transaction has locked, in the order of their ids.
    ///
    /// - Returns: the locked groups.
    package func lockFree(_ tx: PostgresTransaction, among groups: [GroupID]) throws -> [GroupID] {
        try store.lockFree(tx, among: groups)
    }
}
