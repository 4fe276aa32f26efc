import CompanionAPI
import DaylyAPI
import FeatureKit
import HTTPKit
import Hummingbird
import PhoneService
import StoreReceipts

/// `/v1/companion/purchases` and `/v1/companion/store-notifications`.
struct CompanionPurchaseRoutes: Sendable {
    let service: CompanionPurchaseService

    var routes: [Route] { [Route(.post, "companion/purchases", use: redeem)] + notifications }

    /// The App Store has no session: its signature is the authority.
    var notifications: [Route] { [Route(.post, "companion/store-notifications", .open, use: take)] }

    private func redeem(
        _ request: Request, _ context: AppContext
    ) async throws -> Reply<CompanionPurchaseAnswer> {
        let user = try context.requireUser()
        let body = try await request.decodeJSON(CompanionPurchase.self, context: context)
        let token = service.receipts.tokens.make(for: user.rawValue)
        let receipt = try await service.redeem(body.signedTransaction, by: user)
        return Reply(
            CompanionPurchaseAnswer(
                wallet: CompanionWallet(receipt.balances, token: token), transactionID: receipt.transactionID)
        )
    }

    private func take(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let body = try await request.decodeJSON(CompanionStoreNotification.self, context: context)
        do {
            try await service.take(notification: body.signedPayload)
        } catch is InvalidReceipt {
            throw InputFault("/signedPayload", "is not a notification that the App Store has signed")
        }
        return .noContent
    }
}
