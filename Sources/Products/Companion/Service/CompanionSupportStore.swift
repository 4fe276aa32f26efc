import CompanionRules
import DeviceIntake
import FeatureKit
import Postgres

/// SQL that reads an account for support (`dayly companion ledger`).
enum CompanionSupportStore {
    /// nil: the account has not joined, or does not exist.
    static func account(_ tx: PostgresTransaction, _ user: UserID) throws -> CompanionAccountReport? {
        guard try tx.first("SELECT 1 AS one FROM companion_settings WHERE user_id = \(user)") != nil else {
            return nil
        }
        let balances = try CompanionWallets.balances(tx, of: user)
        return CompanionAccountReport(
            energy: balances.energy, gems: balances.gems, entries: try entries(tx, user),
            memorials: try memorials(tx, user))
    }

    private static func entries(
        _ tx: PostgresTransaction, _ user: UserID
    ) throws -> [CompanionAccountReport.Entry] {
        try tx.query(
            """
            SELECT extract(epoch FROM at)::bigint AS at, currency, amount, balance, kind, ref
            FROM companion_ledger WHERE user_id = \(user) ORDER BY id
            """
        ).map { row in
            CompanionAccountReport.Entry(
                at: isoText(instant: try row.get("at")), currency: try row.get("currency"),
                amount: try row.get("amount"), balance: try row.get("balance"), kind: try row.get("kind"),
                ref: try row.get("ref"))
        }
    }

    private static func memorials(
        _ tx: PostgresTransaction, _ user: UserID
    ) throws -> [CompanionAccountReport.Memorial] {
        try tx.query(
            """
            SELECT name, species, born_on, died_on FROM companion_memorials
            WHERE user_id = \(user) ORDER BY created_at, id
            """
        ).map { row in
            CompanionAccountReport.Memorial(
                name: try row.get("name"), species: try row.get("species"),
                bornOn: try row.get("born_on", as: PostgresDate.self).description,
                diedOn: try row.get("died_on", as: PostgresDate.self).description)
        }
    }
}

/// The part of an account that support sees: the oldest comes first.
package struct CompanionAccountReport: Sendable {
    package struct Entry: Sendable {
        package let at: String
        package let currency: String
        package let amount: Int
        package let balance: Int
        package let kind: String
        package let ref: String
    }

    package struct Memorial: Sendable {
        package let name: String
        package let species: String
        package let bornOn: String
        package let diedOn: String
    }

    package let energy: Int
    package let gems: Int
    package let entries: [Entry]
    package let memorials: [Memorial]
}
