import Foundation
import KeyDerivation

/// Six digits that prove that a person reads the messages to a number. The database stores only an HMAC that is bound to
/// the verification, so that neither a dump nor the row of another verification reveals a code.
struct OneTimeCode: Sendable {
    private static let length = 6
    private static let maxTypedScalars = 64
    /// The text for the `detail` of a validation error.
    static let rule = "must be the six digits from the message"

    let text: String

    init(text: String) {
        self.text = text
    }

    /// Reads a code as people type it: digits of any script and width, with spaces and dashes between them. Nil unless the
    /// text has exactly six digits.
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

    /// A code from the system's cryptographic random numbers.
    static func random() -> OneTimeCode {
        OneTimeCode(text: String(String(1_000_000 + Int.random(in: 0..<1_000_000)).dropFirst()))
    }

    func hmac(for id: VerificationID, using key: KeyRing) -> [UInt8] {
        key.code(of: id.rawValue.bytes + Array(text.utf8))
    }

    /// Compares in constant time.
    func matches(_ hmac: [UInt8], for id: VerificationID, using key: KeyRing) -> Bool {
        key.isValid(hmac, of: id.rawValue.bytes + Array(text.utf8))
    }
}
