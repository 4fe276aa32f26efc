import KeyDerivation

/// The codes by which the service recognises transactions without keeping their ids: those that nobody owns.
package struct TransactionCodes: Sendable {
    private let keys: KeyRing

    /// - Parameter purpose: the table that keeps the codes.
    package init(secret: some SecretSource, for purpose: String) {
        keys = secret.secrets.keys(for: purpose)
    }

    /// Under each secret in force, the current one first.
    package func codes(of transaction: String) -> [[UInt8]] { keys.codes(of: Array(transaction.utf8)) }
}
