import Crypto
import Foundation

/// Six digits that prove that somebody reads the messages to a number. Stored only as an HMAC that is bound to the
/// verification, so that neither a dump nor another verification's row gives a code away.
struct OneTimeCode: Sendable {
    let text: String

    /// From the system's cryptographic random numbers.
    static func random() -> OneTimeCode {
        OneTimeCode(text: String(String(1_000_000 + Int.random(in: 0..<1_000_000)).dropFirst()))
    }

    func hmac(for id: VerificationID, using key: SymmetricKey) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: id.rawValue.bytes + Array(text.utf8), using: key))
    }

    /// In constant time.
    func matches(_ hmac: [UInt8], for id: VerificationID, using key: SymmetricKey) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(
            hmac, authenticating: id.rawValue.bytes + Array(text.utf8), using: key)
    }
}
