import Auth
import FeatureKit
import Messaging
import Metrics
import Postgres
import RateLimiting

extension RateScope {
    fileprivate static let inviteSMSSenderDay: RateScope = "invite.sms.sender.day"
    fileprivate static let inviteSMSResend: RateScope = "invite.sms.resend"
    fileprivate static let inviteSMSFallback: RateScope = "invite.sms.fallback"
    fileprivate static let inviteSMSRecipientMonth: RateScope = "invite.sms.recipient.month"
    fileprivate static let invitePushRecipientDay: RateScope = "invite.push.recipient.day"
    fileprivate static let inviteGuessUserHour: RateScope = "invite.guess.user.hour"
    fileprivate static let inviteGuessAddressHour: RateScope = "invite.guess.address.hour"
}

/// Whether an invitation goes out by SMS, or the reason why it does not. It is a label of the metrics. The answer to the
/// inviter is the same in all cases.
enum MessageDecision: String, Sendable {
    case due
    /// The invitee has the app and gets a push message instead.
    case pushed
    /// An SMS for the same invitation went out minutes ago.
    case repeated
    /// The inviter's quota is used up. The new group was created nevertheless.
    case senderLimit = "sender_limit"
    /// All inviters together have used up the invitee's limit.
    case recipientLimit = "recipient_limit"
    /// The invitee has opted out of invitation SMS.
    case optedOut = "opted_out"
    /// A block keeps the invitee out of the group.
    case blocked
    /// The invitee is in the group, which the inviter is not told.
    case member
    /// The ceiling on all text messages is reached.
    case ceiling

    func count() {
        Counter(label: "dayly_invite_messages_total", dimensions: [("decision", rawValue)]).increment()
    }
}

/// The facts about the invitees that decide about messages. The sets contain phone numbers.
struct InvitationRecipients {
    let members: Set<String>
    let blocked: Set<String>
    let optedOut: Set<String>
    /// The users who can get a push message, by their numbers.
    let reachable: [String: UserID]
}

extension InvitationService {
    func recipients(
        _ tx: PostgresTransaction, from group: GroupID, among numbers: [PhoneNumber], members: Set<String>
    ) throws -> InvitationRecipients {
        InvitationRecipients(
            members: members,
            blocked: try blocks.keptOut(tx, of: group, among: numbers),
            optedOut: try optOuts.stopped(tx, among: numbers),
            reachable: try pushes?.reachable(tx, among: numbers) ?? [:])
    }

    /// Decides how an invitee learns of an invitation: by a push message, by SMS, or only from the list of invitations.
    /// Each way uses up the inviter's quota, so that the quota reveals nothing about the invitee. An invitee who has opted
    /// out of SMS may still get a push message.
    ///
    /// - Throws: `GroupError.inviteLimitReached` when the inviter's quota is used up and `policy` is to refuse.
    func decide(
        _ tx: PostgresTransaction, on number: PhoneNumber, _ invitation: OpenInvitation,
        by sender: UserProfile, _ recipients: InvitationRecipients, _ policy: SenderQuotaPolicy
    ) throws -> MessageDecision {
        let resend = resendLimit(invitation.id)
        if try rates.exceeded(tx, [resend]) != nil { return .repeated }
        if let limited = try rates.take(tx, [resend, senderLimit(sender.id)]) {
            guard policy == .refuse else { return .senderLimit }
            throw GroupError.inviteLimitReached(retryAfter: limited.retryAfter)
        }
        if recipients.members.contains(number.rawValue) { return .member }
        if recipients.blocked.contains(number.rawValue) { return .blocked }
        if recipients.reachable[number.rawValue] != nil {
            return try rates.take(tx, [pushLimit(number)]) == nil ? .pushed : .recipientLimit
        }
        if recipients.optedOut.contains(number.rawValue) { return .optedOut }
        return try rates.take(tx, [recipientLimit(number)]) == nil ? .due : .recipientLimit
    }

    /// Takes the messages from the ceiling on all text messages, as many as there is room for, and drops the others. Call it
    /// last in the transaction: every other message waits for the ceiling's lock.
    func admitted(_ tx: PostgresTransaction, _ due: [SMSMessage]) throws -> [SMSMessage] {
        guard !due.isEmpty else { return [] }
        do {
            let granted = try rates.messages.take(tx, upTo: due.count, for: .invitation)
            try giveBack(tx, due.dropFirst(granted))
            return Array(due.prefix(granted))
        } catch is RateLimited {
            try giveBack(tx, due[...])
            return []
        }
    }

    /// Takes dropped messages back from the limits of their recipients.
    private func giveBack(_ tx: PostgresTransaction, _ messages: ArraySlice<SMSMessage>) throws {
        try rates.giveBack(
            tx, messages.compactMap { PhoneNumber(rawValue: $0.to).map(recipientLimit) })
    }

    /// Hands a message to the queue. When the queue is full, the message is dropped and does not count against its recipient.
    ///
    /// - Returns: false when the message was dropped.
    func enqueue(_ message: SMSMessage) async -> Bool {
        do {
            try messages.enqueue(message, kind: .invite)
            return true
        } catch {
            // If this fails too, the recipient gets at most one SMS less within 30 days.
            try? await groups.postgres.transaction { try giveBack($0, [message]) }
            return false
        }
    }

    private func senderLimit(_ user: UserID) -> RateLimit {
        RateLimit(
            scope: .inviteSMSSenderDay, subject: user.rawValue.uuidString,
            limit: rules.messagesPerSenderAndDay, per: .seconds(86_400))
    }

    /// Several push messages about one invitation may find at the same time that no device is left.
    func fallbackLimit(_ invitation: InvitationID) -> RateLimit {
        RateLimit(
            scope: .inviteSMSFallback, subject: invitation.rawValue.uuidString, limit: 1,
            per: rules.messageResendPause)
    }

    private func resendLimit(_ invitation: InvitationID) -> RateLimit {
        RateLimit(
            scope: .inviteSMSResend, subject: invitation.rawValue.uuidString, limit: 1,
            per: rules.messageResendPause)
    }

    /// Push messages are free, but this limit keeps inviters from pestering a user.
    private func pushLimit(_ number: PhoneNumber) -> RateLimit {
        RateLimit(
            scope: .invitePushRecipientDay, subject: number.rawValue, limit: rules.pushesPerRecipient,
            per: .seconds(86_400))
    }

    func recipientLimit(_ number: PhoneNumber) -> RateLimit {
        RateLimit(
            scope: .inviteSMSRecipientMonth, subject: number.rawValue, limit: rules.messagesPerRecipient,
            per: .seconds(30 * 86_400))
    }

    /// Counts a user's wrong codes. When it is used up, even a right code is refused.
    func wrongCodeLimit(user: UserID) -> RateLimit {
        RateLimit(
            scope: .inviteGuessUserHour, subject: user.rawValue.uuidString,
            limit: rules.wrongCodesPerUser, per: .seconds(3_600))
    }

    /// Counts the wrong codes of all users from an address block.
    func wrongCodeLimit(address: String) -> RateLimit {
        RateLimit(
            scope: .inviteGuessAddressHour, subject: address, limit: rules.wrongCodesPerAddress,
            per: .seconds(3_600))
    }
}
