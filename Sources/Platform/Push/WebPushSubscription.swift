import Crypto
import Foundation

/// A browser's address at its push service, with the keys by which messages are encrypted for it (Push API,
/// PushSubscription). As a device's token it is one text: endpoint, key, secret and language with spaces between them.
package struct WebPushSubscription: Sendable, Hashable {
    /// The part of a subscription that cannot be used.
    package enum Fault: Error, Sendable {
        case endpoint
        case key
        case secret
        case language

        /// The end of a sentence that starts with the part.
        package var rule: String {
            switch self {
            case .endpoint: "must be the https URL of a push service that this service knows"
            case .key: "must be an uncompressed P-256 public key in base64url"
            case .secret: "must be 16 bytes in base64url"
            case .language: "must be a language tag such as en or pt-BR"
            }
        }
    }

    private static let secretBytes = 16

    package let endpoint: WebPushEndpoint
    /// The browser's public key: an uncompressed point.
    let key: [UInt8]
    let secret: [UInt8]
    /// The language of the messages (BCP 47).
    package let language: String

    /// - Parameters:
    ///   - key: `p256dh`, in base64url.
    ///   - secret: `auth`, in base64url.
    package init(endpoint: String, key: String, secret: String, language: String) throws(Fault) {
        guard let endpoint = WebPushEndpoint(endpoint) else { throw .endpoint }
        // The key must be a point of the curve: an invalid one could reveal something about ours.
        guard let key = Base64URLText.decode(key),
            (try? P256.KeyAgreement.PublicKey(x963Representation: key)) != nil
        else { throw .key }
        guard let secret = Base64URLText.decode(secret), secret.count == Self.secretBytes else {
            throw .secret
        }
        guard Self.isLanguage(language) else { throw .language }
        self.endpoint = endpoint
        self.key = key
        self.secret = secret
        self.language = language
    }

    init?(text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4 else { return nil }
        do {
            try self.init(endpoint: parts[0], key: parts[1], secret: parts[2], language: parts[3])
        } catch {
            return nil
        }
    }

    package var text: String {
        "\(endpoint.url) \(Base64URLText.encode(key)) \(Base64URLText.encode(secret)) \(language)"
    }

    private static func isLanguage(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return text.utf8.count <= 35
            && parts.allSatisfy { (1...8).contains($0.count) && $0.allSatisfy(isLetterOrDigit) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

/// Base64url without padding (RFC 4648, section 5).
package enum Base64URLText {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// Nil for a text with other characters. Some browsers' libraries add the padding, so that it is accepted.
    package static func decode(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= 1_024, !text.contains("+"), !text.contains("/") else { return nil }
        let plain = text.replacing("-", with: "+").replacing("_", with: "/").replacing("=", with: "")
        let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        return Data(base64Encoded: plain + padding).map(Array.init)
    }
}
