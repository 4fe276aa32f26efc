import CompanionRules
import DeviceIntake
import FeatureKit
import Foundation
import Postgres

/// Reads wallets and ledgers, and pays the awards of closed days.
struct CompanionWalletService: Sendable {
    let accounts: CompanionAccounts

    func balances(of user: UserID) async throws -> CompanionBalances {
        try await accounts.read(user) { tx, _ in try CompanionWallets.balances(tx, of: user) }
    }

    /// - Parameter last: the last entry of the page before.
    /// - Throws: `CompanionError.cursorExpired` when the owner has left since then.
    func ledger(
        of user: UserID, before last: UUID?
    ) async throws -> ListPage<CompanionLedgerState> {
        try await accounts.read(user) { tx, _ in
            if let last, try !CompanionLedgerStore.exists(tx, last, of: user) {
                throw CompanionError.cursorExpired
            }
            return try CompanionLedgerStore.page(tx, of: user, before: last)
        }
    }

    /// Pays the award of a day that was closed, which is more than 0.
    static func award(
        _ tx: PostgresTransaction, to owner: CompanionOwner, for day: DayNumber, _ energy: Int
    ) throws {
        try CompanionWallets.credit(
            tx, CompanionPosting(energy, .energy, .award, ref: isoText(day: day)), of: owner.user)
    }
}
