import Auth
import Messaging
import Metrics
import Postgres
import RateLimiting

/// Whether an invitation's SMS goes out, or why not: a label of the metrics. No answer tells them apart.
enum MessageDecision: String, Sendable {
    case due
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

extension InviteService {
    /// The numbers that get no SMS whatever the counters say, and why.
    func withheld(
        in transaction: PostgresTransaction, from group: GroupID, among numbers: [PhoneNumber]
    ) throws -> [String: MessageDecision] {
        let blocked = try blocks.keptOut(in: transaction, of: group, among: numbers)
        let stopped = try optOuts.stopped(in: transaction, among: numbers)
        return Dictionary(stopped.map { ($0, .optedOut) } + blocked.map { ($0, .blocked) }) { $1 }
    }

    /// The one place that decides how somebody hears of an invitation: by SMS, or only from the list of invitations.
    /// The sender's quota is used up either way, so that it cannot tell him about the recipient.
    /// - Throws: `GroupError.inviteLimitReached` when the sender's own quota is spent and `policy` is to refuse.
    func decide(
        on number: PhoneNumber, _ invite: OpenInvite, by sender: UserProfile,
        _ withheld: [String: MessageDecision], in transaction: PostgresTransaction,
        _ policy: SenderQuotaPolicy
    ) throws -> MessageDecision {
        let resend = resendLimit(invite.id)
        if try rates.exceeded(transaction, [resend]) != nil { return .repeated }
        if let limited = try rates.take(transaction, [resend, senderLimit(sender.id)]) {
            guard policy == .refuse else { return .senderLimit }
            throw GroupError.inviteLimitReached(retryAfter: limited.retryAfter)
        }
        if let decision = withheld[number.rawValue] { return decision }
        return try rates.take(transaction, [recipientLimit(number)]) == nil ? .due : .recipientLimit
    }

    /// Takes the messages from the ceiling that all text messages share, as many as there is room for; the others are
    /// left out. Last in the transaction, because everybody waits for who holds it.
    func admitted(_ due: [SMSMessage], in transaction: PostgresTransaction) throws -> [SMSMessage] {
        guard !due.isEmpty else { return [] }
        do {
            return Array(due.prefix(try rates.messages.take(transaction, upTo: due.count)))
        } catch is RateLimited {
            return []
        }
    }

    private func senderLimit(_ user: UserID) -> RateLimit {
        RateLimit(
            scope: "invite.sms.sender.day", subject: user.rawValue.uuidString,
            limit: rules.messagesPerSenderAndDay, per: .seconds(86_400))
    }

    private func resendLimit(_ invite: InviteID) -> RateLimit {
        RateLimit(
            scope: "invite.sms.resend", subject: invite.rawValue.uuidString, limit: 1,
            per: rules.messageResendPause)
    }

    private func recipientLimit(_ number: PhoneNumber) -> RateLimit {
        RateLimit(
            scope: "invite.sms.recipient.month", subject: number.rawValue, limit: rules.messagesPerRecipient,
            per: .seconds(30 * 86_400))
    }

    /// What is counted when a code is wrong.
    func wrongCodeLimits(user: UserID, address: String?) -> [RateLimit] {
        var limits = [
            RateLimit(
                scope: "invite.guess.user.hour", subject: user.rawValue.uuidString,
                limit: rules.wrongCodesPerUser, per: .seconds(3_600))
        ]
        if let address {
            limits.append(
                RateLimit(
                    scope: "invite.guess.address.hour", subject: address, limit: rules.wrongCodesPerAddress,
                    per: .seconds(3_600)))
        }
        return limits
    }
}
