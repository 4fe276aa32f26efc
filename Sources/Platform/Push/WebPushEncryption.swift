import Crypto
import Foundation

/// Encrypts a message for one browser (RFC 8291, `aes128gcm` of RFC 8188 in one record), so that no push service can read
/// it.
enum WebPushEncryption {
    /// The longest body that push services must take (RFC 8030, 7.2).
    static let maxBodyBytes = 4_096
    private static let recordSize: UInt32 = 4_096
    private static let saltBytes = 16
    private static let tagBytes = 16
    private static let pointBytes = 65
    /// Salt, record size, length of the key, key.
    private static let headerBytes = saltBytes + 4 + 1 + pointBytes
    /// Marks the end of the last record (RFC 8188, 2).
    private static let delimiter: UInt8 = 2

    static let maxMessageBytes = maxBodyBytes - headerBytes - tagBytes - 1

    /// - Parameters:
    ///   - sender: a key for this message alone.
    ///   - salt: 16 random bytes for this message alone.
    static func body(
        _ message: Data, for subscription: WebPushSubscription,
        sender: P256.KeyAgreement.PrivateKey = .init(), salt: [UInt8] = randomSalt()
    ) throws -> Data {
        let receiver = try P256.KeyAgreement.PublicKey(x963Representation: subscription.key)
        let ownKey = sender.publicKey.x963Representation
        let shared = try sender.sharedSecretFromKeyAgreement(with: receiver)
        let material = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: subscription.secret,
            sharedInfo: Data("WebPush: info\0".utf8) + subscription.key + ownKey, outputByteCount: 32)
        func derived(_ info: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: material, salt: salt, info: Data("Content-Encoding: \(info)\0".utf8),
                outputByteCount: count)
        }
        let nonce = try derived("nonce", 12).withUnsafeBytes { try AES.GCM.Nonce(data: Data($0)) }
        let sealed = try AES.GCM.seal(
            message + [delimiter], using: derived("aes128gcm", 16), nonce: nonce)
        let size = withUnsafeBytes(of: recordSize.bigEndian) { Data($0) }
        return Data(salt) + size + [UInt8(pointBytes)] + ownKey + sealed.ciphertext + sealed.tag
    }

    private static func randomSalt() -> [UInt8] {
        SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }
    }
}
