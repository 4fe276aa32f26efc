import Auth
import FeatureKit
import Messaging
import Postgres

/// Sends notifications about invitations to invitees who have the app, instead of an SMS.
package protocol InvitationPushes: Sendable {
    /// The owners of the numbers that have a device for push messages, by number.
    func reachable(
        _ tx: PostgresTransaction, among numbers: [PhoneNumber]
    ) throws -> [String: UserID]

    /// Posts a notification to the outbox. It goes out after the transaction is committed.
    func push(
        _ tx: PostgresTransaction, invite: InvitationID, to group: GroupID, for user: UserID,
        lifetime: Duration
    ) throws
}

extension InvitationService {
    /// The invitation while it is open for the user: not redeemed, revoked, expired or blocked.
    package func open(_ invitation: InvitationID, for user: UserID) async throws -> OwnInvitation? {
        try await received(by: user).first { $0.id == invitation }
    }

    /// Sends the invitation by SMS when the push message reached no device. It keeps to the recipient's limits and sends
    /// nothing to a recipient who has opted out.
    package func sendBySMS(_ invitation: OwnInvitation, to user: UserID) async throws {
        let due = try await groups.postgres.transaction { tx -> SMSMessage? in
            let recipient = try accounts.requireLocked(tx, user)
            let number = recipient.phoneNumber
            guard try optOuts.stopped(tx, among: [number]).isEmpty,
                try rates.take(tx, [fallbackLimit(invitation.id), recipientLimit(number)]) == nil
            else { return nil }
            let message = message(
                to: number, OpenInvitation(id: invitation.id, code: invitation.code), invitation.groupName,
                from: invitation.invitedBy)
            return try admitted(tx, [message]).first
        }
        guard let due else { return }
        MessageDecision.due.count()
        if await !enqueue(due) {
            logger.warning(
                "an invitation was not sent by SMS, because the queue is full", metadata: ["count": "1"])
        }
    }
}
