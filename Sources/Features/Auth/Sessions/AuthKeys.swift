import Foundation
import KeyDerivation

/// The keys for codes, for refresh tokens and for challenges.
struct AuthKeys: Sendable {
    let codes: KeyRing
    let refreshTokens: KeyRing
    let challenges: KeyRing

    init(secret: some SecretSource) {
        codes = secret.secrets.keys(for: "dayly one-time codes v1")
        refreshTokens = secret.secrets.keys(for: "dayly refresh tokens v1")
        challenges = secret.secrets.keys(for: "dayly work challenges v1")
    }
}

extension UUID {
    /// The sixteen bytes in the order of RFC 9562.
    package var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }
}
