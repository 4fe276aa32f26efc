import Foundation
import JWTKit
import SwiftASN1
import X509

/// Verifies what the App Store has signed: that it comes from the store, is about our app, and was paid with real money.
/// The caller checks product and account.
package struct ReceiptVerifier: Sendable {
    private let verifier: X5CVerifier
    private let bundleID: String?
    private let environments: Set<String>
    private let isTester: @Sendable (UUID) async throws -> Bool
    static let sandbox = "Sandbox"
    /// The tokens by which purchases name their account.
    package let tokens: AppAccountToken

    /// - Parameters:
    ///   - roots: a PEM text of the trusted roots; nil: Apple's.
    ///   - bundleID: nil: no purchase counts.
    ///   - allowsSandbox: whether purchases of the store's sandbox count too.
    ///   - isTester: whether they count for this user at present: a reviewer of the store buys in the sandbox.
    package init(
        roots: String? = nil, bundleID: String?, allowsSandbox: Bool, tokens: AppAccountToken,
        isTester: @escaping @Sendable (UUID) async throws -> Bool = { _ in false }
    ) throws {
        verifier = try X5CVerifier(rootCertificates: Self.certificates(pem: roots ?? AppleRoot.pem))
        self.bundleID = bundleID
        environments = allowsSandbox ? ["Production", Self.sandbox] : ["Production"]
        self.isTester = isTester
        self.tokens = tokens
    }

    /// Whether a PEM text holds certificates, and nothing that is not one.
    package static func canTrust(pem: String) -> Bool {
        (try? certificates(pem: pem))?.isEmpty == false
    }

    /// Whether a PEM text holds Apple Root CA - G3 and nothing else: the only root that production may trust.
    package static func isAppleRootOnly(pem: String) -> Bool {
        guard let given = try? certificates(pem: pem), let apple = try? certificates(pem: AppleRoot.pem)
        else {
            return false
        }
        return given == apple
    }

    /// - Parameter jws: a signed transaction, as StoreKit gives it to the phone.
    package func transaction(_ jws: String) async throws(InvalidReceipt) -> StoreTransaction {
        try inForce(try await verified(jws, as: TransactionPayload.self)).transaction
    }

    /// - Parameters:
    ///   - jws: a signed transaction, as StoreKit gives it to the phone.
    ///   - user: sends it. One of the sandbox counts for testers.
    /// - Throws: `InvalidReceipt`.
    package func transaction(_ jws: String, of user: UUID) async throws -> StoreTransaction {
        let payload = try await verified(jws, as: TransactionPayload.self)
        if payload.environment == Self.sandbox, try await isTester(user) { return payload.transaction }
        return try inForce(payload).transaction
    }

    /// - Parameter jws: `signedPayload` of a notification.
    package func notification(_ jws: String) async throws(InvalidReceipt) -> StoreNotification {
        let payload = try inForce(try await verified(jws, as: NotificationPayload.self))
        var about: StoreTransaction?
        if let signed = payload.data?.signedTransactionInfo { about = try await transaction(signed) }
        return StoreNotification(
            type: payload.notificationType, subtype: payload.subtype, transaction: about)
    }

    private func verified<Payload: SignedPayload>(
        _ jws: String, as _: Payload.Type
    ) async throws(InvalidReceipt) -> Payload {
        let bytes = Array(jws.utf8)
        let chain = try Self.chain(of: bytes, as: Payload.self)
        let payload: Payload
        do {
            payload = try await verifier.verifyJWS(bytes, as: Payload.self, jsonDecoder: .defaultForJWT) {
                StoreChainPolicy(sent: chain)
            }
        } catch {
            throw InvalidReceipt(.untrusted)
        }
        guard let bundleID, payload.bundle == bundleID else { throw InvalidReceipt(.bundle) }
        return payload
    }

    private func inForce<Payload: SignedPayload>(_ payload: Payload) throws(InvalidReceipt) -> Payload {
        guard let name = payload.environmentName, environments.contains(name) else {
            throw InvalidReceipt(.environment)
        }
        return payload
    }

    /// The certificates of the header, which names the algorithm too: X5CVerifier would take any algorithm.
    private static func chain<Payload: SignedPayload>(
        of jws: [UInt8], as _: Payload.Type
    ) throws(InvalidReceipt) -> [Certificate] {
        guard let header = try? DefaultJWTParser().parse(jws, as: Payload.self).header,
            header.alg == "ES256", header.crit == nil, let sent = header.x5c, sent.count == 3
        else { throw InvalidReceipt(.malformed) }
        do {
            return try sent.map { try Certificate(derEncoded: Array(Data(base64Encoded: $0) ?? Data())) }
        } catch {
            throw InvalidReceipt(.malformed)
        }
    }

    private static func certificates(pem: String) throws -> [Certificate] {
        try PEMDocument.parseMultiple(pemString: pem).map { try Certificate(pemDocument: $0) }
    }
}
