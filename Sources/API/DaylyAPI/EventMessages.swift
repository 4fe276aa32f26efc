/// The names of the events of `GET /v1/events`, in the field `event`.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum EventName: String, Codable, Sendable, CaseIterable {
    case photoCreated = "photo.created"
    case photoDeleted = "photo.deleted"
    case groupUpdated = "group.updated"
    case memberJoined = "member.joined"
    case memberLeft = "member.left"
}
