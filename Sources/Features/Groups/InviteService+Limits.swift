import Auth
import Postgres
import RateLimiting

extension InviteService {
    /// Counts one invitation SMS.
    /// - Returns: whether it is to be sent: not within minutes of the last one for the same invitation, not where the
    ///   recipient has had enough from anybody.
    /// - Throws: `GroupError.inviteLimitReached` when the sender's own quota is spent and `policy` is to refuse.
    func countMessage(
        to number: PhoneNumber, for invite: OpenInvite, by sender: UserProfile,
        in transaction: PostgresTransaction, _ policy: SenderQuotaPolicy
    ) throws -> Bool {
        let withoutSender = [resendLimit(invite.id), recipientLimit(number)]
        if try rates.exceeded(transaction, withoutSender) != nil { return false }
        guard let limited = try rates.take(transaction, withoutSender + [senderLimit(sender.id)]) else {
            return true
        }
        guard limited.scope == Self.senderScope, policy == .refuse else { return false }
        throw GroupError.inviteLimitReached(retryAfter: limited.retryAfter)
    }

    private static let senderScope = "invite.sms.sender.day"

    private func senderLimit(_ user: UserID) -> RateLimit {
        RateLimit(
            scope: Self.senderScope, subject: user.rawValue.uuidString,
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
