import Auth
import Foundation

/// An open invitation of a group, as its members see it.
package struct GroupInvitation: Sendable {
    package let id: InviteID
    package let phoneNumber: String
    package let code: InviteCode
    package let invitedBy: String?
    package let createdAt: Date
    package let expiresAt: Date
}

/// An open invitation, as who is invited sees it.
package struct OwnInvitation: Sendable {
    package let id: InviteID
    package let code: InviteCode
    package let group: GroupID
    package let groupName: String
    package let invitedBy: String?
    package let expiresAt: Date
}

/// What became of one number that was to be invited.
package struct InvitationResult: Sendable {
    package let phoneNumber: PhoneNumber
    /// The open invitation; nil when the number is a member's.
    package let invite: OpenInvite?
}

/// The part of an open invitation that who made it hears.
package struct OpenInvite: Sendable {
    package let id: InviteID
    package let code: InviteCode
}

/// The group that a code opened.
package struct JoinedGroup: Sendable, Equatable {
    package let id: GroupID
    package let name: String
}
