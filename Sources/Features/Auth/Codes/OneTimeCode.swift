import Foundation
import KeyDerivation

/// Six digits that prove that a person reads the messages to a number. The database stores only an HMAC that is bound to
/// the verification, so that neither a dump nor the row of another verification reveals a code.
struct OneTimeCode: Sendable {
    private static let length = 6
    private static let maxTypedScalars = 1_000
    /// The text for the `detail` of a validation error.
    static let rule = "must be the six digits from the message"

    let text: String

    init(text: String) {
        self.text = text
    }

    /// Reads a code as people type or paste it: in the digits of any script, with anything but letters between them, or within
    /// the text of the message. Nil unless the text has one code, which may stand in it twice.
    init?(typed text: String) {
        guard text.unicodeScalars.count <= Self.maxTypedScalars else { return nil }
        let words = Self.words(text)
        let whole = Set(words.filter(Self.isCode))
        let groups = words.split { !$0.isEmpty && !$0.utf8.allSatisfy(Self.digits.contains) }.map {
            $0.joined()
        }
        let codes = whole.isEmpty ? Set(groups.filter(Self.isCode)) : whole
        guard codes.count == 1, let code = codes.first else { return nil }
        self.text = code
    }

    /// The letters and digits of a text, divided by all others. Invisible characters divide nothing.
    private static func words(_ text: String) -> [String] {
        var words = [""]
        for scalar in text.precomposedStringWithCompatibilityMapping.unicodeScalars {
            let properties = scalar.properties
            if let value = properties.numericValue, properties.generalCategory == .decimalNumber {
                words[words.endIndex - 1] += String(Int(value))
            } else if properties.isAlphabetic {
                words[words.endIndex - 1].unicodeScalars.append(scalar)
            } else if !properties.isDefaultIgnorableCodePoint {
                words.append("")
            }
        }
        return words
    }

    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    private static func isCode(_ word: String) -> Bool {
        word.utf8.count == length && word.utf8.allSatisfy(digits.contains)
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
