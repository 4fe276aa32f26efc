import Auth
import FeatureKit
import Foundation

/// An open invitation of a group, as its members see it.
struct GroupInvitation: Sendable {
    let id: InvitationID
    /// Nil where somebody else invites: a number that was invited has agreed to nothing, so only its inviter sees it.
    let phoneNumber: String?
    let code: InvitationCode
    let invitedBy: String?
    let createdAt: Date
    let expiresAt: Date
}

/// An open invitation, as the invitee sees it.
package struct OwnInvitation: Sendable {
    let id: InvitationID
    let code: InvitationCode
    let group: GroupID
    let groupName: String
    let invitedBy: String?
    package let expiresAt: Date
}

/// The outcome of inviting one number.
struct InvitationResult: Sendable {
    let phoneNumber: PhoneNumber
    /// The open invitation; nil when the number's owner became a member by an invitation of the same inviter.
    let invitation: OpenInvitation?
}

/// An open invitation, as the inviter sees it.
struct OpenInvitation: Sendable {
    let id: InvitationID
    let code: InvitationCode
}

/// The group of an invitation.
package struct JoinedGroup: Sendable, Equatable {
    let id: GroupID
    let name: String
}
