/// The names of the events of `GET /v1/events`, in the field `event`.
public enum EventName: String, Codable, Sendable, CaseIterable {
    case photoCreated = "photo.created"
    case photoDeleted = "photo.deleted"
    case groupUpdated = "group.updated"
    case memberJoined = "member.joined"
    case memberLeft = "member.left"
}

/// `photo.created`.
public struct PhotoCreatedEvent: Codable, Sendable {
    public var groupID: ResourceID
    public var photo: Photo

    public init(groupID: ResourceID, photo: Photo) {
        self.groupID = groupID
        self.photo = photo
    }

    enum CodingKeys: String, CodingKey {
        case groupID = "group_id"
        case photo
    }
}

/// `photo.deleted`: the sender deleted the photo, or it expired.
public struct PhotoDeletedEvent: Codable, Sendable {
    public var groupID: ResourceID
    public var photoID: ResourceID

    public init(groupID: ResourceID, photoID: ResourceID) {
        self.groupID = groupID
        self.photoID = photoID
    }

    enum CodingKeys: String, CodingKey {
        case groupID = "group_id"
        case photoID = "photo_id"
    }
}

/// `group.updated`: the name of the group or of a member has changed.
public struct GroupUpdatedEvent: Codable, Sendable {
    public var groupID: ResourceID
    public var name: String

    public init(groupID: ResourceID, name: String) {
        self.groupID = groupID
        self.name = name
    }

    enum CodingKeys: String, CodingKey {
        case groupID = "group_id"
        case name
    }
}

/// `member.joined` and `member.left`.
public struct MemberEvent: Codable, Sendable {
    public var groupID: ResourceID
    /// Null if the account was deleted.
    @Nullable public var userID: ResourceID?
    @Nullable public var firstName: String?

    public init(groupID: ResourceID, userID: ResourceID?, firstName: String?) {
        self.groupID = groupID
        self._userID = Nullable(wrappedValue: userID)
        self._firstName = Nullable(wrappedValue: firstName)
    }

    enum CodingKeys: String, CodingKey {
        case groupID = "group_id"
        case userID = "user_id"
        case firstName = "first_name"
    }
}
