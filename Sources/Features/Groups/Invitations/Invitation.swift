import FeatureKit
import Auth
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

/// An open invitation, as who is invited sees it.
package struct OwnInvitation: Sendable {
    package let id: InvitationID
    package let code: InvitationCode
    package let group: GroupID
    package let groupName: String
    package let invitedBy: String?
    package let expiresAt: Date
}

/// What became of one number that was to be invited.
package struct InvitationResult: Sendable {
    package let phoneNumber: PhoneNumber
    /// The open invitation; nil when the number is a member's.
    package let invite: OpenInvitation?
}

/// The part of an open invitation that who made it hears.
package struct OpenInvitation: Sendable {
    package let id: InvitationID
    package let code: InvitationCode
}

/// The group that a code opened.
package struct JoinedGroup: Sendable, Equatable {
    package let id: GroupID
    package let name: String
}
