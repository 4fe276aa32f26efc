/// A signed transaction or notification that does not count. Callers learn nothing of the reason; logs may name it.
package struct InvalidReceipt: Error, Hashable {
    package enum Reason: String, Sendable {
        /// The text is not a JWS with the store's algorithm and three certificates.
        case malformed
        /// The certificates do not lead to a trusted root, are not the store's, or did not sign the text.
        case untrusted
        /// It is about another app.
        case bundle
        /// It comes from the store's sandbox, or from a machine of a developer.
        case environment
        /// The product, its quantity or its time is not one that the service sells.
        case product
        /// The purchase belongs to another account.
        case account
        /// The store has taken the purchase back.
        case revoked
    }

    package let reason: Reason

    package init(_ reason: Reason) {
        self.reason = reason
    }
}
