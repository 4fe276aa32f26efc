import FeatureKit
import HTTPKit
import Postgres

/// The data that Focus keeps about a user: the member `focus` of the account's export; null without a profile.
struct FocusExport: Sendable {
    /// The members that each room adds.
    let parts: [UserDataExport]

    func export(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        guard try FocusExportStore.hasProfile(tx, user) else { return ["focus": .null] }
        var members: [String: JSONValue] = [:]
        for part in parts { members.merge(try part(tx, user)) { $1 } }
        return ["focus": .object(members)]
    }
}
