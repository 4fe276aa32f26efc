import FeatureKit
import Postgres

/// The parts that products take in changes of groups. The composition root sets them, because products use Groups and Groups
/// knows no product.
package struct GroupHooks: Sendable {
    /// Called in the transaction in which one user blocks another. The rows of both users are locked.
    package typealias Blocking =
        @Sendable (_ tx: PostgresTransaction, _ blocker: UserID, _ blocked: UserID) throws -> Void

    /// Called in the transaction that ends memberships of a user, after their end: by leaving, removal, a block, the end of the
    /// group or of the account, or a restore that repeats one of these.
    package typealias MembershipEnd = @Sendable (_ tx: PostgresTransaction, _ user: UserID) throws -> Void

    /// Whether one user may block another whom they never met in a group. The rows of both users are locked.
    package typealias Acquaintance =
        @Sendable (_ tx: PostgresTransaction, _ one: UserID, _ other: UserID) throws -> Bool

    package var onBlock: [Blocking]
    package var onMembershipEnd: [MembershipEnd]
    package var acquaintances: [Acquaintance]

    package init(
        onBlock: [Blocking] = [], onMembershipEnd: [MembershipEnd] = [], acquaintances: [Acquaintance] = []
    ) {
        self.onBlock = onBlock
        self.onMembershipEnd = onMembershipEnd
        self.acquaintances = acquaintances
    }

    /// The parts of several products.
    package init(joining all: [GroupHooks]) {
        self.init(
            onBlock: all.flatMap(\.onBlock), onMembershipEnd: all.flatMap(\.onMembershipEnd),
            acquaintances: all.flatMap(\.acquaintances))
    }

    func blocked(_ tx: PostgresTransaction, _ blocked: UserID, by blocker: UserID) throws {
        for hook in onBlock { try hook(tx, blocker, blocked) }
    }

    func membershipsEnded(_ tx: PostgresTransaction, of user: UserID) throws {
        for hook in onMembershipEnd { try hook(tx, user) }
    }

    func areAcquainted(_ tx: PostgresTransaction, _ one: UserID, _ other: UserID) throws -> Bool {
        try acquaintances.contains { try $0(tx, one, other) }
    }
}
