import Foundation

/// `PUT /v1/groups/{id}/mute`. Without `until` the group stays muted.
public struct GroupMute: Codable, Sendable {
    public var muted: Bool
    public var until: Date?

    public init(muted: Bool, until: Date? = nil) {
        self.muted = muted
        self.until = until
    }
}

/// A person whom the caller blocks.
public struct BlockedUser: Codable, Sendable {
    public var id: ResourceID
    @Nullable public var firstName: String?
    public var blockedAt: Date

    public init(id: ResourceID, firstName: String?, blockedAt: Date) {
        self.id = id
        self._firstName = Nullable(wrappedValue: firstName)
        self.blockedAt = blockedAt
    }

    enum CodingKeys: String, CodingKey {
        case id
        case firstName = "first_name"
        case blockedAt = "blocked_at"
    }
}

/// `GET /v1/users/me/blocks`: newest first.
public struct BlockList: Codable, Sendable {
    public var blocks: [BlockedUser]

    public init(blocks: [BlockedUser]) {
        self.blocks = blocks
    }
}

/// `POST /v1/invites/check-users`.
public struct ContactCheckRequest: Codable, Sendable {
    public var phoneNumbers: [String]

    public init(phoneNumbers: [String]) {
        self.phoneNumbers = phoneNumbers
    }

    enum CodingKeys: String, CodingKey {
        case phoneNumbers = "phone_numbers"
    }
}

/// The answer to a `ContactCheckRequest`: the numbers as the client sent them, in the same order.
public struct ContactCheckResult: Codable, Sendable {
    public var existing: [String]
    public var needsInvite: [String]
    /// Texts that are not phone numbers, or are numbers of a country that the service does not serve.
    public var invalid: [String]

    public init(existing: [String], needsInvite: [String], invalid: [String]) {
        self.existing = existing
        self.needsInvite = needsInvite
        self.invalid = invalid
    }

    enum CodingKeys: String, CodingKey {
        case existing
        case needsInvite = "needs_invite"
        case invalid
    }
}
