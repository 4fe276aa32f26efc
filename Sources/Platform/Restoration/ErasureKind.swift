/// The kind of a record in the table `erasures` and in the journal. The raw value is the text in the database and in the
/// bucket. The triggers in `migrations` use the same texts; a test compares them. A product declares its own kinds.
package struct ErasureKind: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// An account was deleted.
    package static let user = ErasureKind(rawValue: "user")
    package static let group = ErasureKind(rawValue: "group")
    /// A membership ended while its group remained.
    package static let member = ErasureKind(rawValue: "member")
    /// A session ended.
    package static let session = ErasureKind(rawValue: "session")
    /// An invitation was used, revoked or deleted.
    package static let invitation = ErasureKind(rawValue: "invite")
    /// A user blocked a phone number. The payload is the number's keyed hash.
    package static let block = ErasureKind(rawValue: "block")
    /// A user lifted a block. The payload is the number's keyed hash.
    package static let unblock = ErasureKind(rawValue: "unblock")
    /// The owner of a phone number sent STOP. The payload is the number's keyed hash.
    package static let stop = ErasureKind(rawValue: "stop")
    /// The owner of a phone number allowed messages again. The payload is the number's keyed hash.
    package static let allow = ErasureKind(rawValue: "allow")
    /// A restore ended all sessions and open invitations. The payload is the time in seconds since 1970. Sessions and
    /// invitations that began later were not ended.
    package static let allEnded = ErasureKind(rawValue: "all")
    /// A part of the journal was found missing from the bucket. The payload is the epoch at that time.
    package static let hole = ErasureKind(rawValue: "hole")
}
