import FeatureKit
import Auth
import Crypto
import Foundation
import Groups
import KeyDerivation
import NIOCore

/// Identifies an upload's bytes among the uploads of one sender to one group.
struct UploadDigest: Sendable {
    fileprivate let message: [UInt8]

    init(of bytes: ByteBuffer, group: GroupID, sender: UserID) {
        let hash = bytes.withUnsafeReadableBytes { Array(SHA256.hash(data: $0)) }
        message = Array("\(group.rawValue.uuidString) \(sender.rawValue.uuidString) ".utf8) + hash
    }
}

/// Recognises the bytes of an upload when a client repeats it. Only keyed hashes (HMAC-SHA256) are stored, so nobody
/// without the service's secret can prove by them who sent a file.
package struct UploadFingerprints: Sendable {
    private let keys: KeyRing

    /// - Parameter secret: The service's secrets; the keys are derived from them for this use alone (RFC 5869).
    package init(secret: some SecretSource) {
        keys = secret.secrets.keys(for: "dayly upload fingerprint v1")
    }

    func make(_ digest: UploadDigest) -> [UInt8] { keys.code(of: digest.message) }

    /// Compares in constant time.
    func matches(_ fingerprint: [UInt8], _ digest: UploadDigest) -> Bool {
        keys.isValid(fingerprint, of: digest.message)
    }
}
