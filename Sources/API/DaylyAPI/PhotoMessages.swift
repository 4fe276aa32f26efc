import Foundation

/// A photo that a member may see until `expiresAt`.
public struct Photo: Codable, Sendable, Equatable {
    public var id: ResourceID
    public var groupID: ResourceID
    public var senderID: ResourceID
    /// The sender's first name, or `User`.
    public var senderName: String
    public var createdAt: Date
    public var expiresAt: Date
    /// In pixels, of the upright picture.
    public var width: Int
    public var height: Int
    /// A ThumbHash of at most 25 bytes, in base64.
    public var thumbhash: String
    /// A signed URL that is valid until `urlExpiresAt`.
    public var url: String
    public var thumbnailURL: String
    public var urlExpiresAt: Date

    public init(
        id: ResourceID, groupID: ResourceID, senderID: ResourceID, senderName: String, createdAt: Date,
        expiresAt: Date, width: Int, height: Int, thumbhash: String, url: String, thumbnailURL: String,
        urlExpiresAt: Date
    ) {
        self.id = id
        self.groupID = groupID
        self.senderID = senderID
        self.senderName = senderName
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.width = width
        self.height = height
        self.thumbhash = thumbhash
        self.url = url
        self.thumbnailURL = thumbnailURL
        self.urlExpiresAt = urlExpiresAt
    }

    enum CodingKeys: String, CodingKey {
        case id
        case groupID = "group_id"
        case senderID = "sender_id"
        case senderName = "sender_name"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
        case width
        case height
        case thumbhash
        case url
        case thumbnailURL = "thumbnail_url"
        case urlExpiresAt = "url_expires_at"
    }
}

/// `GET /v1/groups/{id}/photos` and `…/photos/today`: the photos that have not expired, oldest first.
public struct PhotoFeed: Codable, Sendable {
    public var photos: [Photo]
    /// The photos that were removed since the given cursor.
    public var removed: [ResourceID]
    /// The cursor for the next request. Clients must not interpret it.
    public var cursor: String

    public init(photos: [Photo], removed: [ResourceID], cursor: String) {
        self.photos = photos
        self.removed = removed
        self.cursor = cursor
    }
}

/// `POST /v1/groups/{id}/upload-tickets`.
public struct UploadTicketRequest: Codable, Sendable {
    public var idempotencyKey: String

    public init(idempotencyKey: String) {
        self.idempotencyKey = idempotencyKey
    }

    enum CodingKeys: String, CodingKey {
        case idempotencyKey = "idempotency_key"
    }
}

/// A bearer token for one upload, for background transfers that outlive an access token.
public struct UploadTicket: Codable, Sendable, Equatable {
    public var ticket: String
    public var expiresAt: Date

    public init(ticket: String, expiresAt: Date) {
        self.ticket = ticket
        self.expiresAt = expiresAt
    }

    enum CodingKeys: String, CodingKey {
        case ticket
        case expiresAt = "expires_at"
    }
}
