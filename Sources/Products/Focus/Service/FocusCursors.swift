import FeatureKit
import KeyDerivation

/// The cursors of the lists of Focus.
typealias FocusCursors = ListCursors<FocusError>

extension FocusCursors {
    init(secret: some SecretSource) {
        self.init(secret: secret, purpose: "dayly focus cursors v1", expired: .cursorExpired)
    }
}
