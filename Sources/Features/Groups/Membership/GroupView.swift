import Auth
import FeatureKit
import Foundation

/// A group as one of its members sees it.
struct GroupView: Sendable {
    let summary: GroupSummary
    let members: [GroupMember]

    var id: GroupID { summary.id }
    var name: String { summary.name }
    var hasSentToday: Bool { summary.hasSentToday }
    var nextSendAt: Date? { summary.nextSendAt }
    var lastPhotoAt: Date? { summary.lastPhotoAt }
    var isMuted: Bool { summary.isMuted }
}

/// Everything that a member sees of a group, except its members.
struct GroupSummary: Sendable {
    let id: GroupID
    let name: String
    let createdAt: Date
    /// The newest event. As long as it stays the same, so do the group's name and members.
    let position: LogPosition
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
