import CompanionRules
import FeatureKit
import Foundation
import Postgres

/// A row of the ledger.
struct CompanionLedgerState: Sendable, Equatable {
    let id: UUID
    let at: Instant
    let currency: String
    /// Below 0: spent.
    let amount: Int
    /// That currency's, afterwards.
    let balance: Int
    let kind: String
    let ref: String
}

/// SQL that reads `companion_ledger`.
enum CompanionLedgerStore {
    /// The newest entries, or those before the last one of the page before: one more than a page holds. Ids have the order of
    /// the entries.
    static func page(
        _ tx: PostgresTransaction, of user: UserID, before last: UUID?
    ) throws -> ListPage<CompanionLedgerState> {
        let older: SQL = last.map { "AND id < \($0)" } ?? ""
        return ListPage(
            try tx.query(
                """
                SELECT id, extract(epoch FROM at)::bigint AS at, currency, amount, balance, kind, ref
                FROM companion_ledger
                WHERE user_id = \(user) \(fragment: older)
                ORDER BY id DESC
                LIMIT \(ListPage<CompanionLedgerState>.size + 1)
                """
            ).map(CompanionLedgerState.init))
    }

    static func exists(_ tx: PostgresTransaction, _ id: UUID, of user: UserID) throws -> Bool {
        try tx.first("SELECT 1 AS one FROM companion_ledger WHERE user_id = \(user) AND id = \(id)") != nil
    }
}

extension CompanionLedgerState {
    fileprivate init(_ row: PostgresRow) throws {
        self.init(
            id: try row.get("id"), at: try row.get("at"), currency: try row.get("currency"),
            amount: try row.get("amount"), balance: try row.get("balance"), kind: try row.get("kind"),
            ref: try row.get("ref"))
    }
}
