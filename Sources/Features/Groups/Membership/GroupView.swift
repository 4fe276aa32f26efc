import FeatureKit
import Auth
import Foundation

/// A group as one of its members sees it.
package struct GroupView: Sendable {
    package let id: GroupID
    package let name: String
    package let createdAt: Date
    package let members: [GroupMember]
    /// Whether that member's local day is used up in this group.
    package let hasSentToday: Bool
    /// When that member may send again; nil when that is now.
    package let nextSendAt: Date?
    /// When the newest unexpired photo was accepted.
    package let lastPhotoAt: Date?
    /// Whether that member hears nothing of the group now.
    package let isMuted: Bool
    package let version: GroupVersion
}

/// Somebody in a group.
package struct GroupMember: Sendable {
    package let id: UserID
    package let firstName: String?
    package let joinedAt: Date
}
