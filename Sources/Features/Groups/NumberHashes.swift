import FeatureKit
import Auth
import KeyDerivation

/// Phone numbers as they are kept where the number itself must not be: as HMACs under keys that are derived from the
/// service's secrets. Under another secret the same number is another hash, so a row is looked up by all of a number's
/// hashes, and made with the first.
package struct NumberHashes: Sendable {
    private let keys: KeyRing

    package init(secret: some SecretSource) {
        keys = secret.secrets.keys(for: "dayly phone numbers v1")
    }

    /// For a new row.
    func hash(_ number: PhoneNumber) -> [UInt8] { keys.code(of: Array(number.rawValue.utf8)) }

    /// For looking rows up.
    func all(_ number: PhoneNumber) -> [[UInt8]] { keys.codes(of: Array(number.rawValue.utf8)) }

    /// Numbers beside their hashes, a pair for each hash: what a statement looks up by.
    func pairs(_ numbers: [PhoneNumber]) -> (numbers: [PhoneNumber], hashes: [[UInt8]]) {
        let pairs = numbers.flatMap { number in all(number).map { (number, $0) } }
        return (pairs.map(\.0), pairs.map(\.1))
    }

    /// Stands for a number in the list of those that a user has asked about. It is another one for each user, so that
    /// nobody can see who knows the same people.
    ///
    /// - Returns: one for each secret in force; the first is for what is stored.
    func tags(of number: PhoneNumber, askedBy user: UserID) -> [[UInt8]] {
        keys.codes(of: user.rawValue.bytes + Array(number.rawValue.utf8)).map {
            Array($0.prefix(ContactStore.tagLength))
        }
    }
}
