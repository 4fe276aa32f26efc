import Auth
import Crypto

/// Phone numbers as they are kept where the number itself must not be: as HMACs under a key that is derived from the
/// service's secret. Under another secret the same number is another hash.
package struct NumberHashes: Sendable {
    private let key: SymmetricKey

    package init(secret: [UInt8]) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Array("dayly phone numbers v1".utf8),
            outputByteCount: 32)
    }

    func hash(_ number: PhoneNumber) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(number.rawValue.utf8), using: key))
    }

    /// Stands for a number in the list of those that a user has asked about. It is another one for each user, so that
    /// nobody can see who knows the same people.
    func tag(of number: PhoneNumber, askedBy user: UserID) -> [UInt8] {
        let code = HMAC<SHA256>.authenticationCode(
            for: user.rawValue.bytes + Array(number.rawValue.utf8), using: key)
        return Array(code.prefix(ContactStore.tagLength))
    }

    func hashes(_ numbers: [PhoneNumber]) -> [[UInt8]] {
        numbers.map(hash)
    }
}
