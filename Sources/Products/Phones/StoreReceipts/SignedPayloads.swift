import Foundation
import JWTKit

/// An instant as the App Store writes it: milliseconds since 1970.
struct Milliseconds: Codable, Sendable {
    /// `X5CVerifier` takes the time at which certificates must be valid from the payload, before it verifies the signature. A year
    /// of more than four digits would end the process there.
    private static let range = 0..<Double(253_402_300_799_000)

    let date: Date

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let milliseconds = try container.decode(Double.self)
        guard Self.range.contains(milliseconds) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not between 1970 and 9999")
        }
        date = Date(timeIntervalSince1970: milliseconds / 1_000)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(date.timeIntervalSince1970 * 1_000)
    }
}

/// A payload that tells its app, its environment and when the store signed it.
protocol SignedPayload: ValidationTimePayload {
    var signedAt: Milliseconds { get }
    var bundle: String? { get }
    var environmentName: String? { get }
}

extension SignedPayload {
    /// The certificates must be valid at this time, so that old purchases can still be verified.
    var signedDate: Date { signedAt.date }

    /// `ReceiptVerifier` checks the payload.
    func verify(using algorithm: some JWTAlgorithm) async throws {}
}

struct TransactionPayload: SignedPayload {
    let signedAt: Milliseconds
    let transactionId: String
    let originalTransactionId: String?
    let bundleId: String
    let environment: String
    let productId: String
    let quantity: Int?
    let purchaseDate: Milliseconds?
    let expiresDate: Milliseconds?
    let revocationDate: Milliseconds?
    let appAccountToken: UUID?

    var bundle: String? { bundleId }
    var environmentName: String? { environment }

    var transaction: StoreTransaction {
        StoreTransaction(
            id: transactionId, originalID: originalTransactionId, productID: productId,
            quantity: quantity ?? 1,
            purchasedAt: purchaseDate?.date, expiresAt: expiresDate?.date, revokedAt: revocationDate?.date,
            accountToken: appAccountToken, isSandbox: environment == ReceiptVerifier.sandbox)
    }

    enum CodingKeys: String, CodingKey {
        case signedAt = "signedDate"
        case transactionId, originalTransactionId, bundleId, environment, productId, quantity, purchaseDate,
            expiresDate
        case revocationDate, appAccountToken
    }
}

struct NotificationPayload: SignedPayload {
    struct Content: Codable, Sendable {
        let bundleId: String?
        let environment: String?
        let signedTransactionInfo: String?
    }

    let signedAt: Milliseconds
    let notificationType: String
    let subtype: String?
    /// Messages about a whole catalogue have a summary instead, which no part of the service uses.
    let data: Content?

    var bundle: String? { data?.bundleId }
    var environmentName: String? { data?.environment }

    enum CodingKeys: String, CodingKey {
        case signedAt = "signedDate"
        case notificationType, subtype, data
    }
}
