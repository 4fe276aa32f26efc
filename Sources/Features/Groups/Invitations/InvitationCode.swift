import Postgres

/// Six characters that admit the owner of one phone number to one group, once.
package struct InvitationCode: RawRepresentable, Hashable, Sendable, PostgresCodable {
    /// A-Z and 0-9 without 0, O, 1 and I: 32 characters, so there are 2^30 codes.
    static let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    static let length = 6
    /// The largest number of Unicode scalars that a user may type as a code.
    static let maxTypedLength = 64

    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Reads a code as people type it: in any case, with spaces and dashes. A text that cannot be a code becomes a code
    /// that never matches, so that it costs the same look-ups as a wrong code.
    init(typed text: String) {
        let kept = text.unicodeScalars.filter {
            !$0.properties.isWhitespace && $0.properties.generalCategory != .dashPunctuation
                && $0 != "\u{2212}"
        }
        let code = String(String.UnicodeScalarView(kept.map(Self.upperCased)))
        let isPossible = code.count == Self.length && code.allSatisfy(Self.alphabet.contains)
        rawValue = isPossible ? code : ""
    }

    /// A new code. The generator must be secure, because a code and its phone number together admit to the group.
    static func random(using generator: inout some RandomNumberGenerator) -> InvitationCode {
        InvitationCode(
            rawValue: String((0..<length).map { _ in alphabet[Int.random(in: 0..<32, using: &generator)] }))
    }

    /// A new code from the system's secure generator.
    package static func random() -> InvitationCode {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    private static func upperCased(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        ("a"..."z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) - 32) : scalar
    }
}
