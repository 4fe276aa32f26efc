/// The kinds of records in the table `erasures` and in the journal. The raw values are the texts in the database and in
/// the bucket. The triggers in `migrations` use the same texts; a test compares them.
package enum ErasureKind: String, Sendable, CaseIterable {
    /// An account was deleted.
    case user
    case group
    /// A membership ended while its group remained.
    case member
    /// A photo was deleted or hidden before its expiry.
    case photo
    /// A session ended.
    case session
    /// An invitation was used, revoked or deleted.
    case invitation = "invite"
    /// A user blocked a phone number. The payload is the number's keyed hash.
    case block
    /// A user lifted a block. The payload is the number's keyed hash.
    case unblock
    /// The owner of a phone number sent STOP. The payload is the number's keyed hash.
    case stop
    /// The owner of a phone number allowed messages again. The payload is the number's keyed hash.
    case allow
    /// A sender used their day in a group. The payload is the day as `YYYY-MM-DD`.
    case sentDay = "sent"
    /// A user left Focus, and the account remained.
    case focus
    /// A user left Companion, and the account remained.
    case companion
    /// A restore ended all sessions and open invitations. The payload is the time in seconds since 1970. Sessions and
    /// invitations that began later were not ended.
    case allEnded = "all"
    /// A part of the journal was found missing from the bucket. The payload is the epoch at that time. Records of earlier
    /// versions have none.
    case hole

    /// The kinds whose records the restore guard writes itself. Triggers write all others.
    static let ofTheGuard: Set<ErasureKind> = [.allEnded, .hole]
}
