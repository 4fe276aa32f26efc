import Auth
import FeatureKit
import Foundation

/// A group as one of its members sees it.
struct GroupView: Sendable {
    let id: GroupID
    let name: String
    let createdAt: Date
    let members: [GroupMember]
    /// Whether the member has used up the local day in this group.
    let hasSentToday: Bool
    /// The time at which the member may send again; nil when they may send now.
    let nextSendAt: Date?
    /// The time at which the service accepted the newest unexpired photo.
    let lastPhotoAt: Date?
    /// Whether the member has muted the group.
    let isMuted: Bool
    let version: GroupVersion
}

/// A member of a group.
struct GroupMember: Sendable {
    let id: UserID
    let firstName: String?
    let joinedAt: Date
}
