import Auth
import FeatureKit
import Foundation
import Groups
import KeyDerivation

/// A hash that identifies an upload's bytes among the uploads of one sender to one group.
struct UploadDigest: Sendable {
    fileprivate let message: [UInt8]

    init(of image: UploadedImage, group: GroupID, sender: UserID) {
        message = Array("\(group.rawValue.uuidString) \(sender.rawValue.uuidString) ".utf8) + image.hash
    }
}

/// Recognises the bytes of an upload when a client repeats it. The database has only keyed hashes (HMAC-SHA256), which do
/// not prove without the service's secret who sent a file.
struct UploadFingerprints: Sendable {
    private let keys: KeyRing

    /// - Parameter secret: the service's secrets, from which the keys for this purpose are derived (RFC 5869).
    init(secret: some SecretSource) {
        keys = secret.secrets.keys(for: "dayly upload fingerprint v1")
    }

    func make(_ digest: UploadDigest) -> [UInt8] { keys.code(of: digest.message) }

    /// Compares in constant time.
    func matches(_ fingerprint: [UInt8], _ digest: UploadDigest) -> Bool {
        keys.isValid(fingerprint, of: digest.message)
    }
}
