import FeatureKit
import Auth
import RateLimiting

/// The numbers that groups and invitations are held to. The defaults are the product's.
package struct GroupRules: Sendable {
    /// Groups a user may be in.
    package var groupsPerUser = 5
    /// Seats of a group.
    package var membersPerGroup = 12
    /// Open invitations of a group: more than it has seats, because the seat is decided on redeeming.
    package var openInvitesPerGroup = 24
    /// How long an invitation stays open.
    package var inviteLifetime: Duration = .seconds(7 * 86_400)
    /// How long a finished invitation is kept, so that a repeated redemption finds its answer.
    package var inviteRetention: Duration = .seconds(30 * 86_400)
    /// Removals of others by one member a day.
    package var removalsPerDay = 3
    /// Groups that one user may create a day: more than anybody needs, since they may be in a few at a time only.
    package var creationsPerDay = 60
    /// Invitation SMS by one sender a day.
    package var messagesPerSenderAndDay = 20
    /// Invitation SMS to one number within 30 days, whoever sends them.
    package var messagesPerRecipient = 3
    /// Push messages about invitations to one user a day, whoever invites.
    package var pushesPerRecipient = 10
    /// The least time between two SMS for the same invitation.
    package var messageResendPause: Duration = .seconds(600)
    /// Wrong codes by one user an hour.
    package var wrongCodesPerUser = 10
    /// Wrong codes from one address an hour.
    package var wrongCodesPerAddress = 100
    /// Numbers that one look at who is here may name, and those of a user's day.
    package var numbersPerCheck = 50
    package var checksPerUserAndDay = 500
    /// How long what happened in a group is kept at least; it goes by whole days.
    package var eventRetention: Duration = .seconds(72 * 3_600)
    /// How long somebody who left a group can still be blocked by those who were in it.
    package var memoryOfMembers: Duration = .seconds(30 * 86_400)

    package init() {}

    /// Numbers that one call may name: everybody but the caller.
    package var numbersPerCall: Int { membersPerGroup - 1 }
}

extension GroupRules {
    /// Counts members who were taken out of a group, by removal or by a block.
    func removalLimit(of user: UserID) -> RateLimit {
        RateLimit(
            scope: "group.removal.day", subject: user.rawValue.uuidString, limit: removalsPerDay,
            per: .seconds(86_400))
    }

    /// Counts groups that the user created, those included that are deleted again: each leaves a record in the journal
    /// of erasures.
    func creationLimit(of user: UserID) -> RateLimit {
        RateLimit(
            scope: "group.creation.day", subject: user.rawValue.uuidString, limit: creationsPerDay,
            per: .seconds(86_400))
    }

    /// Counts numbers that the user asked about.
    func contactLimit(of user: UserID) -> RateLimit {
        RateLimit(
            scope: "contacts.user.day", subject: user.rawValue.uuidString, limit: checksPerUserAndDay,
            per: .seconds(86_400))
    }
}
