import Auth
import FeatureKit
import Foundation

/// A group as one of its members sees it.
package struct GroupView: Sendable {
    package let id: GroupID
    package let name: String
    package let createdAt: Date
    package let members: [GroupMember]
    /// Whether the member has used up the local day in this group.
    package let hasSentToday: Bool
    /// The time at which the member may send again; nil when they may send now.
    package let nextSendAt: Date?
    /// The time at which the service accepted the newest unexpired photo.
    package let lastPhotoAt: Date?
    /// Whether the member has muted the group.
    package let isMuted: Bool
    package let version: GroupVersion
}

/// A member of a group.
package struct GroupMember: Sendable {
    package let id: UserID
    package let firstName: String?
    package let joinedAt: Date
}
