import Crypto
import Foundation

/// The keys for codes and refresh tokens, each derived from the service's secret for its one purpose.
struct AuthKeys: Sendable {
    let codes: SymmetricKey
    let refreshTokens: SymmetricKey

    init(secret: [UInt8]) {
        codes = Self.derive(secret, "dayly one-time codes v1")
        refreshTokens = Self.derive(secret, "dayly refresh tokens v1")
    }

    private static func derive(_ secret: [UInt8], _ purpose: String) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Array(purpose.utf8), outputByteCount: 32)
    }
}

extension UUID {
    /// The sixteen of RFC 9562, in its order.
    package var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }
}
