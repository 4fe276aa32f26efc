import Auth
import FeatureKit
import Foundation

/// An open invitation of a group, as its members see it.
package struct GroupInvitation: Sendable {
    package let id: InvitationID
    package let phoneNumber: String
    package let code: InvitationCode
    package let invitedBy: String?
    package let createdAt: Date
    package let expiresAt: Date
}

/// An open invitation, as the invitee sees it.
package struct OwnInvitation: Sendable {
    package let id: InvitationID
    package let code: InvitationCode
    package let group: GroupID
    package let groupName: String
    package let invitedBy: String?
    package let expiresAt: Date
}

/// The outcome of inviting one number.
package struct InvitationResult: Sendable {
    package let phoneNumber: PhoneNumber
    /// The open invitation; nil when the number's owner is already a member.
    package let invitation: OpenInvitation?
}

/// An open invitation, as the inviter sees it.
package struct OpenInvitation: Sendable {
    package let id: InvitationID
    package let code: InvitationCode
}

/// The group of an invitation.
package struct JoinedGroup: Sendable, Equatable {
    package let id: GroupID
    package let name: String
}
