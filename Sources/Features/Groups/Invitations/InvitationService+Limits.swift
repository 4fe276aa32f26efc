import FeatureKit
import Auth
import Messaging
import Metrics
import Postgres
import RateLimiting

/// Whether an invitation's SMS goes out, or why not: a label of the metrics. No answer tells them apart.
enum MessageDecision: String, Sendable {
    case due
    /// The recipient has the app, and is told by a push message instead.
    case pushed
    /// One went out for the same invitation minutes ago.
    case repeated
    /// The sender's quota is spent, and the group was to stand all the same.
    case senderLimit = "sender_limit"
    /// The recipient has had enough from everybody together.
    case recipientLimit = "recipient_limit"
    /// The recipient wants none.
    case optedOut = "opted_out"
    /// A block keeps the recipient out of the group.
    case blocked
    /// As many messages went out in all as may.
    case ceiling

    func count() {
        Counter(label: "dayly_invite_messages_total", dimensions: [("decision", rawValue)]).increment()
    }
}

/// What is known about those who are invited, by number.
struct InvitationRecipients {
    let blocked: Set<String>
    let optedOut: Set<String>
    /// Who is told by a push message.
    let reachable: [String: UserID]
}

extension InvitationService {
    func recipients(
        in transaction: PostgresTransaction, from group: GroupID, among numbers: [PhoneNumber]
    ) throws -> InvitationRecipients {
        InvitationRecipients(
            blocked: try blocks.keptOut(in: transaction, of: group, among: numbers),
            optedOut: try optOuts.stopped(in: transaction, among: numbers),
            reachable: try pushes?.reachable(in: transaction, among: numbers) ?? [:])
    }

    /// The one place that decides how somebody hears of an invitation: by a push message, by SMS, or only from the
    /// list of invitations. The sender's quota is used up each way, so that it cannot tell him about the recipient.
    /// Who wants no SMS may still have the app.
    /// - Throws: `GroupError.inviteLimitReached` when the sender's own quota is spent and `policy` is to refuse.
    func decide(
        on number: PhoneNumber, _ invite: OpenInvitation, by sender: UserProfile,
        _ recipients: InvitationRecipients, in transaction: PostgresTransaction,
        _ policy: SenderQuotaPolicy
    ) throws -> MessageDecision {
        let resend = resendLimit(invite.id)
        if try rates.exceeded(transaction, [resend]) != nil { return .repeated }
        if let limited = try rates.take(transaction, [resend, senderLimit(sender.id)]) {
            guard policy == .refuse else { return .senderLimit }
            throw GroupError.inviteLimitReached(retryAfter: limited.retryAfter)
        }
        if recipients.blocked.contains(number.rawValue) { return .blocked }
        if recipients.reachable[number.rawValue] != nil {
            return try rates.take(transaction, [pushLimit(number)]) == nil ? .pushed : .recipientLimit
        }
        if recipients.optedOut.contains(number.rawValue) { return .optedOut }
        return try rates.take(transaction, [recipientLimit(number)]) == nil ? .due : .recipientLimit
    }

    /// Takes the messages from the ceiling that all text messages share, as many as there is room for; the others are
    /// left out. Last in the transaction, because everybody waits for who holds it.
    func admitted(_ due: [SMSMessage], in transaction: PostgresTransaction) throws -> [SMSMessage] {
        guard !due.isEmpty else { return [] }
        do {
            let granted = try rates.messages.take(transaction, upTo: due.count, for: .invitation)
            try giveBack(due.dropFirst(granted), in: transaction)
            return Array(due.prefix(granted))
        } catch is RateLimited {
            try giveBack(due[...], in: transaction)
            return []
        }
    }

    /// A message that does not go out counts against no recipient.
    private func giveBack(_ messages: ArraySlice<SMSMessage>, in transaction: PostgresTransaction) throws {
        try rates.giveBack(
            transaction, messages.compactMap { PhoneNumber(rawValue: $0.to).map(recipientLimit) })
    }

    /// Hands a message to the queue. Where the queue is full the message is left out and counts against no recipient.
    ///
    /// - Returns: false for a message that was left out.
    func enqueue(_ message: SMSMessage) async -> Bool {
        do {
            try messages.enqueue(message, kind: .invite)
            return true
        } catch {
            // At worst the recipient gets one SMS less in these 30 days.
            try? await groups.postgres.transaction { try giveBack([message], in: $0) }
            return false
        }
    }

    private func senderLimit(_ user: UserID) -> RateLimit {
        RateLimit(
            scope: "invite.sms.sender.day", subject: user.rawValue.uuidString,
            limit: rules.messagesPerSenderAndDay, per: .seconds(86_400))
    }

    private func resendLimit(_ invite: InvitationID) -> RateLimit {
        RateLimit(
            scope: "invite.sms.resend", subject: invite.rawValue.uuidString, limit: 1,
            per: rules.messageResendPause)
    }

    /// Push messages cost nothing, and still are no way to pester somebody.
    private func pushLimit(_ number: PhoneNumber) -> RateLimit {
        RateLimit(
            scope: "invite.push.recipient.day", subject: number.rawValue, limit: rules.pushesPerRecipient,
            per: .seconds(86_400))
    }

    func recipientLimit(_ number: PhoneNumber) -> RateLimit {
        RateLimit(
            scope: "invite.sms.recipient.month", subject: number.rawValue, limit: rules.messagesPerRecipient,
            per: .seconds(30 * 86_400))
    }

    /// Counts a user's wrong codes. Beyond it a right one is refused too.
    func wrongCodeLimit(user: UserID) -> RateLimit {
        RateLimit(
            scope: "invite.guess.user.hour", subject: user.rawValue.uuidString,
            limit: rules.wrongCodesPerUser, per: .seconds(3_600))
    }

    /// Counts wrong codes from an address block, whoever's they are.
    func wrongCodeLimit(address: String) -> RateLimit {
        RateLimit(
            scope: "invite.guess.address.hour", subject: address, limit: rules.wrongCodesPerAddress,
            per: .seconds(3_600))
    }
}
