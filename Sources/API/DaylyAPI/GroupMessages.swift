import Foundation

/// A group as one of its members sees it.
public struct Group: Codable, Sendable {
    public var id: ResourceID
    public var name: String
    public var createdAt: Date
    public var members: [Member]
    public var memberCount: Int
    /// Whether the caller has sent a photo to the group on their local day.
    public var hasSentToday: Bool
    /// When the caller may send the next photo; null if they may send one now.
    @Nullable public var nextSendAt: Date?
    /// When the newest unexpired photo was accepted.
    @Nullable public var lastPhotoAt: Date?
    public var muted: Bool

    public init(
        id: ResourceID, name: String, createdAt: Date, members: [Member], hasSentToday: Bool,
        nextSendAt: Date?,
        lastPhotoAt: Date?, muted: Bool
    ) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
        self.members = members
        self.memberCount = members.count
        self.hasSentToday = hasSentToday
        self._nextSendAt = Nullable(wrappedValue: nextSendAt)
        self._lastPhotoAt = Nullable(wrappedValue: lastPhotoAt)
        self.muted = muted
    }

    enum CodingKeys: String, CodingKey {
        case id
        case name
        case createdAt = "created_at"
        case members
        case memberCount = "member_count"
        case hasSentToday = "has_sent_today"
        case nextSendAt = "next_send_at"
        case lastPhotoAt = "last_photo_at"
        case muted
    }
}

/// A member of a group.
public struct Member: Codable, Sendable {
    public var id: ResourceID
    @Nullable public var firstName: String?
    public var joinedAt: Date

    public init(id: ResourceID, firstName: String?, joinedAt: Date) {
        self.id = id
        self._firstName = Nullable(wrappedValue: firstName)
        self.joinedAt = joinedAt
    }

    enum CodingKeys: String, CodingKey {
        case id
        case firstName = "first_name"
        case joinedAt = "joined_at"
    }
}

/// `GET /v1/groups`: oldest first.
public struct GroupList: Codable, Sendable {
    public var groups: [Group]

    public init(groups: [Group]) {
        self.groups = groups
    }
}

/// `POST /v1/groups`. The creator becomes a member, and the numbers are invited.
public struct GroupCreation: Codable, Sendable {
    public var name: String
    public var memberPhoneNumbers: [String]

    public init(name: String, memberPhoneNumbers: [String]) {
        self.name = name
        self.memberPhoneNumbers = memberPhoneNumbers
    }

    enum CodingKeys: String, CodingKey {
        case name
        case memberPhoneNumbers = "member_phone_numbers"
    }
}

/// The answer to a `GroupCreation`.
public struct GroupCreated: Codable, Sendable {
    public var group: Group
    public var invitations: [Invitation]

    public init(group: Group, invitations: [Invitation]) {
        self.group = group
        self.invitations = invitations
    }
}

/// `PUT /v1/groups/{id}`.
public struct GroupRename: Codable, Sendable {
    public var name: String

    public init(name: String) {
        self.name = name
    }
}

/// The result for one invited number. `inviteID`, `code` and `url` are present if `outcome` is `invited`.
public struct Invitation: Codable, Sendable {
    /// The result.
    public enum Outcome: String, Codable, Sendable {
        case invited
        /// A member by an earlier invitation of the caller. Other members' numbers are reported as invited.
        case alreadyMember = "already_member"
    }

    public var phoneNumber: String
    public var outcome: Outcome
    public var inviteID: ResourceID?
    public var code: String?
    public var url: String?

    public init(phoneNumber: String, outcome: Outcome, inviteID: ResourceID?, code: String?, url: String?) {
        self.phoneNumber = phoneNumber
        self.outcome = outcome
        self.inviteID = inviteID
        self.code = code
        self.url = url
    }

    enum CodingKeys: String, CodingKey {
        case phoneNumber = "phone_number"
        case outcome
        case inviteID = "invite_id"
        case code
        case url
    }
}

/// `POST /v1/invites/send`.
public struct InviteRequest: Codable, Sendable {
    public var groupID: String
    public var phoneNumbers: [String]

    public init(groupID: String, phoneNumbers: [String]) {
        self.groupID = groupID
        self.phoneNumbers = phoneNumbers
    }

    enum CodingKeys: String, CodingKey {
        case groupID = "group_id"
        case phoneNumbers = "phone_numbers"
    }
}

/// The answer to an `InviteRequest`.
public struct InvitesSent: Codable, Sendable {
    public var sent: [Invitation]

    public init(sent: [Invitation]) {
        self.sent = sent
    }
}

/// An open invitation to the caller.
public struct ReceivedInvite: Codable, Sendable {
    public var id: ResourceID
    public var code: String
    public var groupID: ResourceID
    public var groupName: String
    /// The first name of the inviter; null if it is not known.
    @Nullable public var invitedBy: String?
    public var expiresAt: Date

    public init(
        id: ResourceID, code: String, groupID: ResourceID, groupName: String, invitedBy: String?,
        expiresAt: Date
    ) {
        self.id = id
        self.code = code
        self.groupID = groupID
        self.groupName = groupName
        self._invitedBy = Nullable(wrappedValue: invitedBy)
        self.expiresAt = expiresAt
    }

    enum CodingKeys: String, CodingKey {
        case id
        case code
        case groupID = "group_id"
        case groupName = "group_name"
        case invitedBy = "invited_by"
        case expiresAt = "expires_at"
    }
}

/// `GET /v1/invites`.
public struct ReceivedInviteList: Codable, Sendable {
    public var invites: [ReceivedInvite]

    public init(invites: [ReceivedInvite]) {
        self.invites = invites
    }
}

/// An open invitation of a group, as its members see it.
public struct GroupInvite: Codable, Sendable {
    public var id: ResourceID
    /// Nil unless the caller is the inviter.
    @Nullable public var phoneNumber: String?
    public var code: String
    public var url: String
    @Nullable public var invitedBy: String?
    public var createdAt: Date
    public var expiresAt: Date

    public init(
        id: ResourceID, phoneNumber: String?, code: String, url: String, invitedBy: String?, createdAt: Date,
        expiresAt: Date
    ) {
        self.id = id
        self._phoneNumber = Nullable(wrappedValue: phoneNumber)
        self.code = code
        self.url = url
        self._invitedBy = Nullable(wrappedValue: invitedBy)
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    enum CodingKeys: String, CodingKey {
        case id
        case phoneNumber = "phone_number"
        case code
        case url
        case invitedBy = "invited_by"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
    }
}

/// `GET /v1/groups/{id}/invites`.
public struct GroupInviteList: Codable, Sendable {
    public var invites: [GroupInvite]

    public init(invites: [GroupInvite]) {
        self.invites = invites
    }
}

/// `POST /v1/invites/redeem`. The code in any case, with spaces and dashes, or a text with it: its link or the whole SMS.
public struct InviteRedemption: Codable, Sendable {
    public var code: String

    public init(code: String) {
        self.code = code
    }
}

/// The answer to an `InviteRedemption`.
public struct InviteRedeemed: Codable, Sendable {
    public var groupID: ResourceID
    public var groupName: String

    public init(groupID: ResourceID, groupName: String) {
        self.groupID = groupID
        self.groupName = groupName
    }

    enum CodingKeys: String, CodingKey {
        case groupID = "group_id"
        case groupName = "group_name"
    }
}
