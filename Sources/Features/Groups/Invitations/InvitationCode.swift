import Postgres

/// Six characters that admit the owner of one phone number to one group, once.
package struct InvitationCode: RawRepresentable, Hashable, Sendable, PostgresCodable {
    /// A-Z and 0-9 without 0, O, 1 and I: 32 characters, so there are 2^30 codes.
    static let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    static let length = 6
    /// The largest number of Unicode scalars that a user may type or paste for a code: more than the message has.
    static let maxTypedLength = 1_000

    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
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
}
