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
    /// Work that goes on while the service runs. A `PeriodicJob` is also run once by tests.
    var jobs: [any Service] { get }
    /// The data that the feature keeps about a user, for the export of their account.
    var exports: [UserDataExport] { get }
    /// Run in the transaction that deletes an account, before its row goes. The account's row is locked.
    var onErase: [AccountHook] { get }
    /// Run in the transaction that renames an account. The account's row is locked.
    var onRename: [AccountHook] { get }
    /// The changes that a restore must repeat after a backup has undone them, in this order.
    var restorations: [RestoreWalk] { get }
}

extension Feature {
    package var routes: [Route] { [] }
    package var jobs: [any Service] { [] }
    package var exports: [UserDataExport] { [] }
    package var onErase: [AccountHook] { [] }
    package var onRename: [AccountHook] { [] }
    package var restorations: [RestoreWalk] { [] }
}

/// Takes part in a change of an account, in the transaction of that change.
package typealias AccountHook = @Sendable (PostgresTransaction, UserID) throws -> Void

/// The data that a feature keeps about a user: members of one JSON object. Each is an array of the rows of one table,
/// whose members are named like its columns.
///
/// An export leaves out keys and hashes, other people's ids where they tell what those people have done, and the fact
/// that somebody has blocked the user.
package typealias UserDataExport = @Sendable (PostgresTransaction, UserID) throws -> [String: JSONValue]
