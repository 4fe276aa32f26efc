import Auth
import FeatureKit
import KeyDerivation

/// Hashes of phone numbers, for tables that must not contain the numbers themselves: HMACs under keys that are derived from
/// the service's secrets. The same number has another hash under each secret. So rows are looked up by all of a number's
/// hashes, and new rows get the first one.
package struct NumberHashes: Sendable {
    private let keys: KeyRing

    package init(secret: some SecretSource) {
        keys = secret.secrets.keys(for: "dayly phone numbers v1")
    }

    /// The hash for a new row.
    func hash(_ number: PhoneNumber) -> [UInt8] { keys.code(of: Array(number.rawValue.utf8)) }

    /// The hashes for looking up rows.
    func all(_ number: PhoneNumber) -> [[UInt8]] { keys.codes(of: Array(number.rawValue.utf8)) }

    /// Each number beside each of its hashes, as two arrays for one statement.
    func pairs(_ numbers: [PhoneNumber]) -> (numbers: [PhoneNumber], hashes: [[UInt8]]) {
        let pairs = numbers.flatMap { number in all(number).map { (number, $0) } }
        return (pairs.map(\.0), pairs.map(\.1))
    }

    /// The tags that stand for a number in the list of the numbers that a user has looked up. They differ from user to user,
    /// so that the lists do not reveal which users know the same people.
    ///
    /// - Returns: one tag for each secret in force. New rows get the first.
    func tags(of number: PhoneNumber, askedBy user: UserID) -> [[UInt8]] {
        keys.codes(of: user.rawValue.bytes + Array(number.rawValue.utf8)).map {
            Array($0.prefix(ContactStore.tagLength))
        }
    }
}
