import CompanionRules
import FeatureKit
import Postgres
import RateLimiting
import StoreReceipts

/// Gems by purchases in the App Store. A transaction is credited once, whoever sends it and how often.
struct CompanionPurchaseService: Sendable {
    private static let refusedReceiptsPerHour = 20

    let postgres: PostgresClient
    let accounts: CompanionAccounts
    let refunds: CompanionRefunds
    let receipts: ReceiptVerifier
    let products: CompanionProducts
    let rates: RateLimits
    let listeners: [StoreNotification.Listener]

    /// The contents of the answer to a purchase.
    struct Receipt: Sendable {
        let balances: CompanionBalances
        let transactionID: String
    }

    /// Credits a signed transaction, or counts its refund. Sent again, it changes nothing.
    ///
    /// - Throws: `CompanionError.invalidReceipt`, `.purchaseClaimed`; `RateLimited` after too many invalid ones.
    func redeem(_ jws: String, by user: UserID) async throws -> Receipt {
        let limit = RateLimit(
            scope: "companion.receipt.hour", subject: user.rawValue.uuidString,
            limit: Self.refusedReceiptsPerHour, per: .seconds(3_600))
        try await accounts.read(user) { tx, _ in
            if let refusal = try rates.exceeded(tx, [limit]) { throw refusal }
        }
        do {
            let transaction = try await receipts.transaction(jws, of: user.rawValue)
            guard let receipt = try await count(transaction, for: user) else {
                throw InvalidReceipt(.revoked)
            }
            return receipt
        } catch is InvalidReceipt {
            try await rates.check([limit])
            throw CompanionError.invalidReceipt
        }
    }

    /// Takes a notification of the App Store, for all products. Only refunds change something here.
    ///
    /// - Throws: `InvalidReceipt` unless the store has signed it about our app.
    func take(notification jws: String) async throws {
        let notification = try await receipts.notification(jws)
        for listener in listeners { try await listener(notification) }
        guard notification.isRefund, let transaction = notification.transaction else { return }
        while try await !postgres.transaction({ tx in try refunds.refund(tx, transaction.id) }) {}
    }

    /// - Returns: nil for a transaction that was taken back before it was credited. It stays remembered.
    private func count(
        _ transaction: StoreTransaction, for user: UserID
    ) async throws -> Receipt? {
        try await postgres.transaction { tx in
            let owner = try accounts.requireLocked(tx, user)
            guard try isCounted(tx, transaction, for: owner) else { return nil }
            return Receipt(
                balances: try CompanionWallets.balances(tx, of: user), transactionID: transaction.id)
        }
    }

    private func isCounted(
        _ tx: PostgresTransaction, _ transaction: StoreTransaction, for owner: CompanionOwner
    ) throws -> Bool {
        let isRevoked = transaction.revokedAt != nil
        if let earlier = try CompanionPurchaseStore.find(tx, transaction.id) {
            guard earlier.user == owner.user else { throw CompanionError.purchaseClaimed }
            if isRevoked { try refunds.refund(tx, earlier, of: owner) }
            return true
        }
        // A credited transaction stays credited when its product is not sold any more, or the secret of its token is not in force
        // any more.
        guard receipts.tokens.name(transaction, user: owner.user.rawValue) else {
            throw InvalidReceipt(.account)
        }
        guard let credit = products.credit(of: transaction) else { throw InvalidReceipt(.product) }
        let codes = refunds.codes.codes(of: transaction.id)
        switch try CompanionPurchaseStore.claim(tx, codes, isRefused: isRevoked) {
        case .credited: throw CompanionError.purchaseClaimed
        case .refused: return false
        case .new where isRevoked: return false
        case .new: break
        }
        try CompanionPurchaseStore.insert(tx, transaction, gems: credit, for: owner.user)
        try CompanionWallets.credit(
            tx, CompanionPosting(credit, .gems, .purchase, ref: transaction.id), of: owner.user)
        if !transaction.isSandbox { try refunds.totals.add(tx, [.purchase]) }
        return true
    }
}
