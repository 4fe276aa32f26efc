import FeatureKit
import KeyDerivation

/// The cursors of the lists of Companion.
typealias CompanionCursors = ListCursors<CompanionError>

extension CompanionCursors {
    init(secret: some SecretSource) {
        self.init(secret: secret, purpose: "dayly companion cursors v1", expired: .cursorExpired)
    }
}
