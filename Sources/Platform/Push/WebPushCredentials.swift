import Crypto
import Foundation
import Synchronization

/// Signs messages as coming from this service (VAPID, RFC 8292). Browsers bind a subscription to the public key.
package final class WebPushCredentials: Sendable {
    /// Half of the longest lifetime that push services accept.
    private static let lifetime: TimeInterval = 12 * 3_600
    /// A signature is used again for this long. Services limit how many they check.
    private static let reuse: TimeInterval = 6 * 3_600
    /// More than there are hosts in use. Microsoft's have several names.
    private static let maxKept = 64

    private struct Signed {
        let field: String
        let renewAt: Date
    }

    /// The public key as browsers take it: an uncompressed point in base64url.
    package let publicKey: String
    private let key: P256.Signing.PrivateKey
    private let contact: String
    private let signed = Mutex<[String: Signed]>([:])

    /// - Parameters:
    ///   - pem: a P-256 private key.
    ///   - contact: a `mailto:` or `https:` URL at which a push service can reach the operator.
    /// - Throws: `PushKeyUnreadable`.
    package init(pem: String, contact: String) throws {
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) else {
            throw PushKeyUnreadable()
        }
        self.key = key
        self.contact = contact
        publicKey = Base64URLText.encode(key.publicKey.x963Representation)
    }

    /// The value of `Authorization` for a push service.
    func authorization(for origin: String, now: Date) throws -> String {
        if let kept = signed.withLock({ $0[origin] }), now < kept.renewAt { return kept.field }
        let claims = Claims(
            aud: origin, exp: Int(now.addingTimeInterval(Self.lifetime).timeIntervalSince1970), sub: contact)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let input =
            Base64URLText.encode(Data(#"{"alg":"ES256","typ":"JWT"}"#.utf8)) + "."
            + Base64URLText.encode(try encoder.encode(claims))
        let signature = try key.signature(for: Data(input.utf8)).rawRepresentation
        let field = "vapid t=\(input).\(Base64URLText.encode(signature)), k=\(publicKey)"
        signed.withLock { signed in
            if signed.count >= Self.maxKept { signed.removeAll() }
            signed[origin] = Signed(field: field, renewAt: now.addingTimeInterval(Self.reuse))
        }
        return field
    }

    private struct Claims: Encodable {
        let aud: String
        let exp: Int
        let sub: String
    }
}
