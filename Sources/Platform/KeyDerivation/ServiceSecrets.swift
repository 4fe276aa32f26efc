import Crypto
import Foundation

/// The secrets in force. The service makes codes and tokens with the first secret, and accepts those that were made with
/// any of them. So the operator can change the secret without losing anything that an earlier one made.
package struct ServiceSecrets: Sendable, SecretSource {
    private let first: [UInt8]
    private let previous: [[UInt8]]

    /// - Parameters:
    ///   - first: `auth.secret`, at least 32 bytes.
    ///   - previous: `auth.previous_secrets`.
    package init(_ first: [UInt8], previous: [[UInt8]] = []) {
        self.first = first
        self.previous = previous.filter { $0 != first }
    }

    package var secrets: ServiceSecrets { self }

    /// - Parameter purpose: the use of the keys. Keys for two purposes are independent of each other (HKDF, RFC 5869).
    package func keys(for purpose: String) -> KeyRing {
        KeyRing(first: Self.derive(first, purpose), previous: previous.map { Self.derive($0, purpose) })
    }

    private static func derive(_ secret: [UInt8], _ purpose: String) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Array(purpose.utf8), outputByteCount: 32)
    }
}

/// A source of keys: the secrets in force, or a single secret.
package protocol SecretSource {
    var secrets: ServiceSecrets { get }
}

extension [UInt8]: SecretSource {
    package var secrets: ServiceSecrets { ServiceSecrets(self) }
}

/// The keys of one purpose, one for each secret in force. The first key makes codes; every key verifies them.
package struct KeyRing: Sendable {
    private let first: SymmetricKey
    private let previous: [SymmetricKey]

    init(first: SymmetricKey, previous: [SymmetricKey]) {
        self.first = first
        self.previous = previous
    }

    /// The HMAC-SHA256 of a message under the first key, for a code that is handed out or stored.
    package func code(of message: [UInt8]) -> [UInt8] { Self.code(of: message, first) }

    /// The codes of a message under all keys, in their order, for looking up a row that was stored under any of them.
    package func codes(of message: [UInt8]) -> [[UInt8]] {
        ([first] + previous).map { Self.code(of: message, $0) }
    }

    /// Whether `code` is the code of `message` under one of the keys. The comparison takes the same time wherever the codes
    /// differ.
    package func isValid(_ code: [UInt8], of message: [UInt8]) -> Bool {
        ([first] + previous).contains {
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: $0)
        }
    }

    /// As `isValid`, for the first bytes of a code.
    ///
    /// - Parameter beginning: at least 8 bytes; a shorter code could be guessed.
    package func isValid(beginning: [UInt8], of message: [UInt8]) -> Bool {
        guard beginning.count >= 8 else { return false }
        return codes(of: message).contains { code in
            zip(code, beginning).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0 && beginning.count <= code.count
        }
    }

    private static func code(of message: [UInt8], _ key: SymmetricKey) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
    }
}
