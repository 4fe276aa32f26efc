import Auth
import Crypto
import Foundation
import Groups
import NIOCore

/// What identifies an upload's bytes within one sender's place in one group.
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
    private let newest: SymmetricKey
    private let previous: [SymmetricKey]

    /// - Parameters:
    ///   - secret: makes fingerprints; the key is derived from it for this use alone (RFC 5869).
    ///   - previousSecrets: still recognise the fingerprints that they made.
    package init(secret: [UInt8], previousSecrets: [[UInt8]] = []) {
        newest = Self.key(from: secret)
        previous = previousSecrets.map(Self.key)
    }

    func make(_ digest: UploadDigest) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: digest.message, using: newest))
    }

    /// Compares in constant time.
    func matches(_ fingerprint: [UInt8], _ digest: UploadDigest) -> Bool {
        ([newest] + previous).contains {
            HMAC<SHA256>.isValidAuthenticationCode(fingerprint, authenticating: digest.message, using: $0)
        }
    }

    private static func key(from secret: [UInt8]) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Data("dayly upload fingerprint v1".utf8),
            outputByteCount: 32)
    }
}
