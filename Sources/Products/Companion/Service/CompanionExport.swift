import FeatureKit
import HTTPKit
import Postgres

/// The data that Companion keeps about a user: the member `companion` of the account's export; null for whoever has not
/// joined.
struct CompanionExport: Sendable {
    let accounts: CompanionAccounts
    /// The members that each room adds.
    let parts: [UserDataExport]

    /// Everything that is due is done first, so that the export holds the days and texts of this moment.
    func export(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        guard try accounts.lockToRead(tx, user) != nil else { return ["companion": .null] }
        var members: [String: JSONValue] = [:]
        for part in parts { members.merge(try part(tx, user)) { $1 } }
        return ["companion": .object(members)]
    }
}
