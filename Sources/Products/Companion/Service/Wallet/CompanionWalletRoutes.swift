import CompanionAPI
import CompanionRules
import DaylyAPI
import FeatureKit
import Foundation
import HTTPKit
import Hummingbird
import StoreReceipts

/// `GET /v1/companion/wallet` and `GET /v1/companion/ledger`.
struct CompanionWalletRoutes: Sendable {
    private static let listName = "ledger"

    let service: CompanionWalletService
    let tokens: AppAccountToken
    let cursors: CompanionCursors

    var routes: [Route] {
        [
            Route(.get, "companion/wallet", use: wallet),
            Route(.get, "companion/ledger", use: ledger),
        ]
    }

    private func wallet(
        _ request: Request, _ context: AppContext
    ) async throws -> ConditionalJSON<CompanionWallet> {
        let user = try context.requireUser()
        return ConditionalJSON(
            CompanionWallet(try await service.balances(of: user), token: tokens.make(for: user.rawValue)))
    }

    private func ledger(
        _ request: Request, _ context: AppContext
    ) async throws -> ConditionalJSON<CompanionLedgerPage> {
        let user = try context.requireUser()
        let last = try request.uri.queryParameters["cursor"].map { try place(String($0), for: user) }
        let page = try await service.ledger(of: user, before: last)
        let next = page.last.map { cursors.text([$0.id.uuidString], of: Self.listName, for: user) }
        return ConditionalJSON(
            CompanionLedgerPage(entries: page.entries.map(CompanionLedgerEntry.init), cursor: next))
    }

    private func place(_ cursor: String, for user: UserID) throws(CompanionError) -> UUID {
        let parts = try cursors.parts(of: cursor, Self.listName, for: user)
        guard parts.count == 1, let id = UUID(uuidString: parts[0]) else { throw .cursorExpired }
        return id
    }
}

extension CompanionWallet {
    init(_ balances: CompanionBalances, token: UUID) {
        self.init(energy: balances.energy, gems: balances.gems, appAccountToken: ResourceID(token))
    }
}

extension CompanionLedgerEntry {
    init(_ entry: CompanionLedgerState) {
        self.init(
            id: ResourceID(entry.id), at: Date(instant: entry.at), currency: entry.currency,
            amount: entry.amount, balance: entry.balance, kind: entry.kind, ref: entry.ref)
    }
}
