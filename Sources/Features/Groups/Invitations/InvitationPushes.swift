import FeatureKit
import Auth
import Messaging
import Postgres

/// How invitees who have the app are told: by a push message, in the place of an SMS.
package protocol InvitationPushes: Sendable {
    /// Who of the numbers' owners has a device that can be reached, by number.
    func reachable(
        in transaction: PostgresTransaction, among numbers: [PhoneNumber]
    ) throws -> [String: UserID]

    /// Has the user told once the transaction is committed.
    func push(
        in transaction: PostgresTransaction, invite: InvitationID, to group: GroupID, for user: UserID,
        lifetime: Duration
    ) throws
}

extension InvitationService {
    /// The invitation, as long as it is open to the user: not redeemed, revoked or expired, and no block against it.
    package func open(_ invite: InvitationID, for user: UserID) async throws -> OwnInvitation? {
        try await received(by: user).first { $0.id == invite }
    }

    /// Tells the invitee by SMS after all, where no device could be reached: within the recipient's limits, unless
    /// they want none.
    package func tellBySMS(_ invite: OwnInvitation, to user: UserID) async throws {
        let due = try await groups.postgres.transaction { transaction -> SMSMessage? in
            let recipient = try UserStore.lockUser(transaction, user)
            let number = recipient.phoneNumber
            guard try optOuts.stopped(in: transaction, among: [number]).isEmpty,
                try rates.take(transaction, [recipientLimit(number)]) == nil
            else { return nil }
            let message = message(
                to: number, OpenInvitation(id: invite.id, code: invite.code), invite.groupName,
                from: invite.invitedBy)
            return try admitted([message], in: transaction).first
        }
        guard let due else { return }
        MessageDecision.due.count()
        if await !enqueue(due) {
            logger.warning("invitation SMS left out: the queue is full", metadata: ["count": "1"])
        }
    }
}
