import Foundation
import KeyDerivation

/// The UUID that stands for a user in purchases: the phone gives it to the App Store, and the store's signed transaction
/// carries it. It follows from the user's id and the service's secret, so it stays the same after a restore, and no table
/// keeps it.
package struct AppAccountToken: Sendable {
    private let keys: KeyRing

    /// - Parameter secret: the secrets in force. The first one makes tokens; tokens made under any of them are accepted.
    package init(secret: some SecretSource) {
        keys = secret.secrets.keys(for: "dayly app account token v1")
    }

    /// The token that the user's purchases must carry.
    package func make(for user: UUID) -> UUID {
        Self.uuid(keys.code(of: Self.message(user)))
    }

    /// Whether the token is the user's, under one of the secrets in force.
    package func isValid(_ token: UUID, of user: UUID) -> Bool {
        keys.codes(of: Self.message(user)).contains { Self.uuid($0) == token }
    }

    /// Whether a transaction names the user as its buyer.
    package func name(_ transaction: StoreTransaction, user: UUID) -> Bool {
        transaction.accountToken.map { isValid($0, of: user) } ?? false
    }

    private static func message(_ user: UUID) -> [UInt8] {
        withUnsafeBytes(of: user.uuid) { Array($0) }
    }

    /// A UUID of version 8 (RFC 9562, section 5.8) with 122 bits of the code.
    private static func uuid(_ code: [UInt8]) -> UUID {
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) { $0.copyBytes(from: code.prefix(16)) }
        bytes.6 = bytes.6 & 0x0f | 0x80
        bytes.8 = bytes.8 & 0x3f | 0x80
        return UUID(uuid: bytes)
    }
}
