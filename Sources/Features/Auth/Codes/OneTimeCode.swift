import Foundation
import KeyDerivation

/// Six digits that prove that somebody reads the messages to a number. Stored only as an HMAC that is bound to the
/// verification, so that neither a dump nor another verification's row gives a code away.
struct OneTimeCode: Sendable {
    private static let length = 6
    private static let maxTypedScalars = 64
    /// For the `detail` of a validation error.
    static let rule = "must be the six digits of the message"

    let text: String

    init(text: String) {
        self.text = text
    }

    /// Reads a code as people type it: digits of any script and width, with spaces and dashes between them. Nil for what is
    /// not six digits.
    init?(typed text: String) {
        guard text.unicodeScalars.count <= Self.maxTypedScalars else { return nil }
        var digits = ""
        for scalar in text.unicodeScalars {
            let properties = scalar.properties
            switch properties.generalCategory {
            case .decimalNumber: digits += properties.numericValue.map { String(Int($0)) } ?? ""
            case .dashPunctuation, .format: continue
            default: guard properties.isWhitespace || scalar == "\u{2212}" else { return nil }
            }
        }
        guard digits.utf8.count == Self.length else { return nil }
        self.text = digits
    }

    /// From the system's cryptographic random numbers.
    static func random() -> OneTimeCode {
        OneTimeCode(text: String(String(1_000_000 + Int.random(in: 0..<1_000_000)).dropFirst()))
    }

    func hmac(for id: VerificationID, using key: KeyRing) -> [UInt8] {
        key.code(of: id.rawValue.bytes + Array(text.utf8))
    }

    /// In constant time.
    func matches(_ hmac: [UInt8], for id: VerificationID, using key: KeyRing) -> Bool {
        key.isValid(hmac, of: id.rawValue.bytes + Array(text.utf8))
    }
}
