import DaylyAPI
import HTTPKit
import Postgres
import Restoration
import ServiceLifecycle

/// The front door of a feature: everything that the rest of the house needs to know about it. The composition root is a
/// list of features. The order of that list is the order of their dependencies.
///
/// A feature also offers methods that take a transaction to the features that stand on it. Its stores stay internal.
package protocol Feature: Sendable {
    /// The calls of the API below `/v1`.
    var routes: [Route] { get }
    /// The calls among `routes` that end somebody's part in a product, or give money back. They work also while a deployment leaves
    /// the product out.
    var departures: [Route] { get }
    /// Work that goes on while the service runs. A `PeriodicJob` is also run once by tests.
    var jobs: [any Service] { get }
    /// Jobs that forget what is past its time. They run also while a deployment leaves the product out.
    var purges: [any Service] { get }
    /// The data that the feature keeps about a user, for the export of their account.
    var exports: [UserDataExport] { get }
    /// Run in the transaction that deletes an account, before its row goes. The account's row is locked.
    var onErase: [AccountHook] { get }
    /// Run in the transaction that renames an account. The account's row is locked.
    var onRename: [AccountHook] { get }
    /// Run in the transaction that changes an account's time zone. The account's row is locked.
    var onZoneChange: [ZoneChangeHook] { get }
    /// Run in the transaction that ends sessions from elsewhere, before they end. Their rows are locked.
    var onEviction: [SessionHook] { get }
    /// The changes that a restore must repeat after a backup has undone them, in this order.
    var restorations: [RestoreWalk] { get }
    /// The problems that only the feature's own calls answer: their meanings, and what a client does about them.
    static var problems: [ProblemCode: String] { get }
}

extension Feature {
    package var routes: [Route] { [] }
    package var departures: [Route] { [] }
    package var jobs: [any Service] { [] }
    package var purges: [any Service] { [] }
    package var exports: [UserDataExport] { [] }
    package var onErase: [AccountHook] { [] }
    package var onRename: [AccountHook] { [] }
    package var onZoneChange: [ZoneChangeHook] { [] }
    package var onEviction: [SessionHook] { [] }
    package var restorations: [RestoreWalk] { [] }
    package static var problems: [ProblemCode: String] { [:] }
}

/// Takes part in a change of an account, in the transaction of that change.
package typealias AccountHook = @Sendable (PostgresTransaction, UserID) throws -> Void

/// Takes part in the end of sessions, in the transaction of that end.
package typealias SessionHook = @Sendable (PostgresTransaction, [SessionID]) throws -> Void

/// Takes part in a change of an account's time zone, in the transaction of that change.
package struct ZoneChangeHook: Sendable {
    /// Runs while the account has the old zone: does what was due by it.
    package let before: AccountHook
    /// Runs when the account has the new zone.
    package let after: AccountHook

    package init(before: @escaping AccountHook, after: @escaping AccountHook) {
        self.before = before
        self.after = after
    }
}

/// The data that a feature keeps about a user: members of one JSON object. Each is an array of the rows of one table,
/// whose members are named like its columns.
///
/// An export leaves out keys and hashes, other people's ids where they tell what those people have done, and the fact
/// that somebody has blocked the user.
package typealias UserDataExport = @Sendable (PostgresTransaction, UserID) throws -> [String: JSONValue]
