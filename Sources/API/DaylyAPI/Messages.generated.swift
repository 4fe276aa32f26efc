// Generated from openapi.yaml by scripts/lib/wire.py --write. Do not edit.
// swift-format-ignore-file

import Foundation

/// The body of `POST /v1/auth/request-verification`.
public struct VerificationRequest: Codable, Hashable, Sendable {
    public var phoneNumber: String
    /// The answer to the `challenge` of a refusal.
    public var proof: WorkProof?

    public init(phoneNumber: String, proof: WorkProof? = nil) {
        self.phoneNumber = phoneNumber
        self.proof = proof
    }

    enum CodingKeys: String, CodingKey {
        case phoneNumber = "phone_number"
        case proof
    }
}

/// Find `count` nonces for which the SHA-256 of their message begins with `bits` zero bits. A message has `bytes`
/// bytes: the nonce as an unsigned integer in eight bytes, the most significant first; `token` in ASCII; zeros. A
/// challenge is for one number from one network, for ten minutes, and for one code.
public struct WorkChallenge: Codable, Hashable, Sendable {
    public var token: String
    public var bytes: Int
    /// From 0 to 32.
    public var bits: Int
    public var count: Int

    public init(token: String, bytes: Int, bits: Int, count: Int) {
        self.token = token
        self.bytes = bytes
        self.bits = bits
        self.count = count
    }
}

/// The answer to a `WorkChallenge`. It counts once.
public struct WorkProof: Codable, Hashable, Sendable {
    public var token: String
    /// Ascending, below 2^53.
    public var nonces: [Int]

    public init(token: String, nonces: [Int]) {
        self.token = token
        self.nonces = nonces
    }
}

/// A code is on its way, or would be; the answer is the same for known and unknown numbers. The answer of
/// `POST /v1/auth/request-verification`.
public struct VerificationStarted: Codable, Hashable, Sendable {
    public var verificationID: ResourceID
    public var expiresAt: Date
    /// Seconds.
    public var expiresIn: Int
    /// Seconds until another code may be asked for.
    public var resendAfter: Int

    public init(verificationID: ResourceID, expiresAt: Date, expiresIn: Int, resendAfter: Int) {
        self.verificationID = verificationID
        self.expiresAt = expiresAt
        self.expiresIn = expiresIn
        self.resendAfter = resendAfter
    }

    enum CodingKeys: String, CodingKey {
        case verificationID = "verification_id"
        case expiresAt = "expires_at"
        case expiresIn = "expires_in"
        case resendAfter = "resend_after"
    }
}

/// The body of `POST /v1/auth/verify`.
public struct VerifyRequest: Codable, Hashable, Sendable {
    public var verificationID: String
    /// The six digits of the SMS, with or without spaces and punctuation, in the digits of any script, or the whole SMS.
    /// Any other text is `invalid_request` and does not count as an attempt.
    public var code: String
    /// Used for a new user only.
    public var firstName: String?
    /// Used for a new user only; the default is `UTC`.
    public var timeZone: String?
    /// The name of this device in the list of sessions.
    public var deviceName: String?

    public init(
        verificationID: String, code: String, firstName: String? = nil, timeZone: String? = nil,
        deviceName: String? = nil
    ) {
        self.verificationID = verificationID
        self.code = code
        self.firstName = firstName
        self.timeZone = timeZone
        self.deviceName = deviceName
    }

    enum CodingKeys: String, CodingKey {
        case verificationID = "verification_id"
        case code
        case firstName = "first_name"
        case timeZone = "time_zone"
        case deviceName = "device_name"
    }
}

/// The body of `POST /v1/auth/refresh` and `POST /v1/auth/logout`.
public struct RefreshRequest: Codable, Hashable, Sendable {
    public var refreshToken: String

    public init(refreshToken: String) {
        self.refreshToken = refreshToken
    }

    enum CodingKeys: String, CodingKey {
        case refreshToken = "refresh_token"
    }
}

/// The tokens of a session in an app.
public struct TokenResponse: Codable, Hashable, Sendable {
    /// A JWT.
    public var accessToken: String
    /// Opaque; good for 60 days and for one use.
    public var refreshToken: String
    public var tokenType: String
    /// Seconds the access token lives.
    public var expiresIn: Int
    public var user: User
    /// In the answer of `verify` only.
    public var isNewUser: Bool?

    public init(
        accessToken: String, refreshToken: String, tokenType: String = "Bearer", expiresIn: Int, user: User,
        isNewUser: Bool? = nil
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.tokenType = tokenType
        self.expiresIn = expiresIn
        self.user = user
        self.isNewUser = isNewUser
    }

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case user
        case isNewUser = "is_new_user"
    }
}

/// The tokens of a session in a browser, which asks with the header `Dayly-Session: cookie`. The refresh token is in a
/// cookie.
public struct BrowserTokenResponse: Codable, Hashable, Sendable {
    /// A JWT.
    public var accessToken: String
    public var tokenType: String
    /// Seconds the access token lives.
    public var expiresIn: Int
    public var user: User
    /// In the answer of `verify` only.
    public var isNewUser: Bool?

    public init(
        accessToken: String, tokenType: String = "Bearer", expiresIn: Int, user: User,
        isNewUser: Bool? = nil
    ) {
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.expiresIn = expiresIn
        self.user = user
        self.isNewUser = isNewUser
    }

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case user
        case isNewUser = "is_new_user"
    }
}

/// The caller's own profile. The answer of `GET /v1/users/me` and `PATCH /v1/users/me`.
public struct User: Codable, Hashable, Sendable, Identifiable {
    public var id: ResourceID
    public var phoneNumber: String
    @Nullable public var firstName: String?
    public var timeZone: String
    /// Whether others' contact pickers are told that this number is here.
    public var discoverable: Bool
    /// Between `quietFrom` and `quietTo`, in `timeZone`, there are no push messages. The message about a photo is sent
    /// after the quiet hours if that is still the same day, and otherwise never. The message about an invitation is sent
    /// after the quiet hours.
    @Nullable public var quietFrom: String?
    @Nullable public var quietTo: String?
    public var createdAt: Date

    public init(
        id: ResourceID, phoneNumber: String, firstName: String?, timeZone: String, discoverable: Bool,
        quietFrom: String?, quietTo: String?, createdAt: Date
    ) {
        self.id = id
        self.phoneNumber = phoneNumber
        self._firstName = Nullable(wrappedValue: firstName)
        self.timeZone = timeZone
        self.discoverable = discoverable
        self._quietFrom = Nullable(wrappedValue: quietFrom)
        self._quietTo = Nullable(wrappedValue: quietTo)
        self.createdAt = createdAt
    }

    enum CodingKeys: String, CodingKey {
        case id
        case phoneNumber = "phone_number"
        case firstName = "first_name"
        case timeZone = "time_zone"
        case discoverable
        case quietFrom = "quiet_from"
        case quietTo = "quiet_to"
        case createdAt = "created_at"
    }
}

/// A change of the profile. Members that are left out do not change. The body of `PATCH /v1/users/me`.
public struct UserPatch: Codable, Hashable, Sendable {
    public var firstName: String?
    public var timeZone: String?
    public var discoverable: Bool?
    /// Either both are given or neither. `null` for both removes the quiet hours.
    public var quietFrom: Nullable<String>?
    public var quietTo: Nullable<String>?

    public init(
        firstName: String? = nil, timeZone: String? = nil, discoverable: Bool? = nil,
        quietFrom: Nullable<String>? = nil, quietTo: Nullable<String>? = nil
    ) {
        self.firstName = firstName
        self.timeZone = timeZone
        self.discoverable = discoverable
        self.quietFrom = quietFrom
        self.quietTo = quietTo
    }

    enum CodingKeys: String, CodingKey {
        case firstName = "first_name"
        case timeZone = "time_zone"
        case discoverable
        case quietFrom = "quiet_from"
        case quietTo = "quiet_to"
    }
}

/// The body of `POST /v1/devices/register`.
public struct DeviceRegistration: Codable, Hashable, Sendable {
    /// A browser's `PushSubscription`, as its `toJSON()` gives it; required for `web`. The endpoint is an https URL of the
    /// push services of Google, Mozilla, Apple or Microsoft.
    public struct Subscription: Codable, Hashable, Sendable {
        public struct Keys: Codable, Hashable, Sendable {
            /// A P-256 public key in base64url.
            public var p256dh: String
            /// 16 bytes in base64url.
            public var auth: String

            public init(p256dh: String, auth: String) {
                self.p256dh = p256dh
                self.auth = auth
            }
        }

        public var endpoint: String
        public var keys: Keys

        public init(endpoint: String, keys: Keys) {
            self.endpoint = endpoint
            self.keys = keys
        }
    }

    /// The token that the platform gave the app: the APNs device token as hexadecimal digits (16 to 200 bytes), or the FCM
    /// registration token (up to 4,096 characters). Required for `ios` and `android`.
    public var deviceToken: String?
    /// `ios`, `android` or `web`.
    public var platform: String
    /// A browser's `PushSubscription`, as its `toJSON()` gives it; required for `web`. The endpoint is an https URL of the
    /// push services of Google, Mozilla, Apple or Microsoft.
    public var subscription: Subscription?
    /// The language of messages to a browser (BCP 47).
    public var language: String?

    public init(
        deviceToken: String? = nil, platform: String, subscription: Subscription? = nil,
        language: String? = nil
    ) {
        self.deviceToken = deviceToken
        self.platform = platform
        self.subscription = subscription
        self.language = language
    }

    enum CodingKeys: String, CodingKey {
        case deviceToken = "device_token"
        case platform
        case subscription
        case language
    }
}

/// The answer of `GET /v1/push/web-key`.
public struct WebPushKey: Codable, Hashable, Sendable {
    /// The `applicationServerKey` of a browser's subscription: an uncompressed P-256 point in base64url.
    public var key: String

    public init(key: String) {
        self.key = key
    }
}

/// A signed-in device.
public struct SessionInfo: Codable, Hashable, Sendable, Identifiable {
    public var id: ResourceID
    @Nullable public var deviceName: String?
    public var createdAt: Date
    /// The start of the UTC day of the last use; the service does not record the time of day.
    public var lastUsedAt: Date
    /// Whether the request was made with this session.
    public var current: Bool

    public init(
        id: ResourceID, deviceName: String?, createdAt: Date, lastUsedAt: Date, current: Bool
    ) {
        self.id = id
        self._deviceName = Nullable(wrappedValue: deviceName)
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.current = current
    }

    enum CodingKeys: String, CodingKey {
        case id
        case deviceName = "device_name"
        case createdAt = "created_at"
        case lastUsedAt = "last_used_at"
        case current
    }
}

/// The answer of `GET /v1/auth/sessions`.
public struct SessionList: Codable, Hashable, Sendable {
    public var sessions: [SessionInfo]

    public init(sessions: [SessionInfo]) {
        self.sessions = sessions
    }
}

/// Up to 100 events. The body of `POST /v1/analytics/events`.
public struct AnalyticsReport: Codable, Hashable, Sendable {
    public var events: [AnalyticsEvent]

    public init(events: [AnalyticsEvent]) {
        self.events = events
    }
}

/// Something that happened `count` times; once, where that is left out.
public struct AnalyticsEvent: Codable, Hashable, Sendable {
    /// `photo_sent`, `group_created`, `app_opened` or `invite_sent`.
    public var name: String
    /// From 1 to 1,000.
    public var count: Int?

    public init(name: String, count: Int? = nil) {
        self.name = name
        self.count = count
    }
}

/// A group as the caller sees it. The answer of `GET /v1/groups/{id}` and `PUT /v1/groups/{id}`.
public struct PhotoGroup: Codable, Hashable, Sendable, Identifiable {
    public var id: ResourceID
    public var name: String
    public var createdAt: Date
    public var members: [Member]
    /// From 1 to 12.
    public var memberCount: Int
    /// Whether the caller's local day is used up.
    public var hasSentToday: Bool
    /// When the caller may send the next photo; null if they may send now.
    @Nullable public var nextSendAt: Date?
    /// When the newest unexpired photo was accepted.
    @Nullable public var lastPhotoAt: Date?
    public var muted: Bool

    public init(
        id: ResourceID, name: String, createdAt: Date, members: [Member], memberCount: Int,
        hasSentToday: Bool, nextSendAt: Date?, lastPhotoAt: Date?, muted: Bool
    ) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
        self.members = members
        self.memberCount = memberCount
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
public struct Member: Codable, Hashable, Sendable, Identifiable {
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

/// The caller's groups, oldest first. The answer of `GET /v1/groups`.
public struct GroupList: Codable, Hashable, Sendable {
    public var groups: [PhotoGroup]

    public init(groups: [PhotoGroup]) {
        self.groups = groups
    }
}

/// A new group. The creator becomes a member, and the numbers are invited. The body of `POST /v1/groups`.
public struct GroupCreation: Codable, Hashable, Sendable {
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

/// The answer of `POST /v1/groups`.
public struct GroupCreated: Codable, Hashable, Sendable {
    public var group: PhotoGroup
    public var invitations: [Invitation]

    public init(group: PhotoGroup, invitations: [Invitation]) {
        self.group = group
        self.invitations = invitations
    }
}

/// The body of `PUT /v1/groups/{id}`.
public struct GroupRename: Codable, Hashable, Sendable {
    public var name: String

    public init(name: String) {
        self.name = name
    }
}

/// The result for one number. `inviteID`, `code` and `url` are present if it was invited.
public struct Invitation: Codable, Hashable, Sendable {
    public var phoneNumber: String
    /// `already_member` if the number's owner became a member by an invitation of the caller. For everybody else the number
    /// of a member is `invited` like any other, and nothing is sent to it. `invited` or `already_member`.
    public var outcome: Outcome
    public var inviteID: ResourceID?
    public var code: String?
    /// The invite page.
    public var url: String?

    public init(
        phoneNumber: String, outcome: Outcome, inviteID: ResourceID? = nil, code: String? = nil,
        url: String? = nil
    ) {
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

/// The body of `POST /v1/invites/send`.
public struct InviteRequest: Codable, Hashable, Sendable {
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

/// The answer of `POST /v1/invites/send`.
public struct InvitesSent: Codable, Hashable, Sendable {
    public var sent: [Invitation]

    public init(sent: [Invitation]) {
        self.sent = sent
    }
}

/// An open invitation to the caller.
public struct ReceivedInvite: Codable, Hashable, Sendable, Identifiable {
    public var id: ResourceID
    public var code: String
    public var groupID: ResourceID
    public var groupName: String
    /// The first name of the inviter, if known.
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

/// The answer of `GET /v1/invites`.
public struct ReceivedInviteList: Codable, Hashable, Sendable {
    public var invites: [ReceivedInvite]

    public init(invites: [ReceivedInvite]) {
        self.invites = invites
    }
}

/// An open invitation of a group, as its members see it.
public struct GroupInvite: Codable, Hashable, Sendable, Identifiable {
    public var id: ResourceID
    /// The invited number, if the caller is the inviter; else null.
    @Nullable public var phoneNumber: String?
    public var code: String
    public var url: String
    /// The first name of the inviter, if known.
    @Nullable public var invitedBy: String?
    public var createdAt: Date
    public var expiresAt: Date

    public init(
        id: ResourceID, phoneNumber: String?, code: String, url: String, invitedBy: String?,
        createdAt: Date, expiresAt: Date
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

/// The answer of `GET /v1/groups/{id}/invites`.
public struct GroupInviteList: Codable, Hashable, Sendable {
    public var invites: [GroupInvite]

    public init(invites: [GroupInvite]) {
        self.invites = invites
    }
}

/// The body of `PUT /v1/groups/{id}/mute`.
public struct GroupMute: Codable, Hashable, Sendable {
    public var muted: Bool
    /// RFC 3339, with an offset, in the future. Without it the group is muted for ever. Ignored if `muted` is false.
    public var until: Date?

    public init(muted: Bool, until: Date? = nil) {
        self.muted = muted
        self.until = until
    }
}

/// A person whom the caller blocks.
public struct BlockedUser: Codable, Hashable, Sendable, Identifiable {
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

/// The people whom the caller blocks, newest first. The answer of `GET /v1/users/me/blocks`.
public struct BlockList: Codable, Hashable, Sendable {
    public var blocks: [BlockedUser]

    public init(blocks: [BlockedUser]) {
        self.blocks = blocks
    }
}

/// The body of `POST /v1/invites/check-users`.
public struct ContactCheckRequest: Codable, Hashable, Sendable {
    public var phoneNumbers: [String]

    public init(phoneNumbers: [String]) {
        self.phoneNumbers = phoneNumbers
    }

    enum CodingKeys: String, CodingKey {
        case phoneNumbers = "phone_numbers"
    }
}

/// The numbers as the client sent them, in the same order. The answer of `POST /v1/invites/check-users`.
public struct ContactCheckResult: Codable, Hashable, Sendable {
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

/// The body of `POST /v1/invites/redeem`.
public struct InviteRedemption: Codable, Hashable, Sendable {
    /// The code in any case and width, with spaces and dashes; or a text with it, such as its link or the whole SMS.
    public var code: String

    public init(code: String) {
        self.code = code
    }
}

/// The answer of `POST /v1/invites/redeem`.
public struct InviteRedeemed: Codable, Hashable, Sendable {
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

/// A photo that a member may see until `expiresAt`. The answer of `POST /v1/groups/{id}/photos` and
/// `POST /v1/groups/{id}/photos` and `GET /v1/photos/{id}`.
public struct Photo: Codable, Hashable, Sendable, Identifiable {
    public var id: ResourceID
    public var groupID: ResourceID
    public var senderID: ResourceID
    /// The sender's first name, or `User`.
    public var senderName: String
    public var createdAt: Date
    public var expiresAt: Date
    /// In pixels, of the upright picture. From 1 to 2,048.
    public var width: Int
    /// Pixels, upright. From 1 to 2,048.
    public var height: Int
    /// A ThumbHash of at most 25 bytes, as a placeholder while the picture loads.
    public var thumbhash: String
    /// The picture; signed.
    public var url: String
    /// At most 480 pixels; signed.
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

/// The photos that have not expired, oldest first.
public struct PhotoFeed: Codable, Hashable, Sendable {
    public var photos: [Photo]
    /// Photos that were deleted or expired since the given cursor.
    public var removed: [ResourceID]
    /// The cursor for the next request. Clients must not interpret it.
    public var cursor: String

    public init(photos: [Photo], removed: [ResourceID], cursor: String) {
        self.photos = photos
        self.removed = removed
        self.cursor = cursor
    }
}

/// `photo.created`: a member sent a photo.
public struct PhotoCreatedEvent: Codable, Hashable, Sendable {
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
public struct PhotoDeletedEvent: Codable, Hashable, Sendable {
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
public struct GroupUpdatedEvent: Codable, Hashable, Sendable {
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
public struct MemberEvent: Codable, Hashable, Sendable {
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

/// The body of `POST /v1/groups/{id}/upload-tickets`.
public struct UploadTicketRequest: Codable, Hashable, Sendable {
    /// The value of the header `Idempotency-Key`, with or without quotes.
    public var idempotencyKey: String

    public init(idempotencyKey: String) {
        self.idempotencyKey = idempotencyKey
    }

    enum CodingKeys: String, CodingKey {
        case idempotencyKey = "idempotency_key"
    }
}

/// A bearer token for one upload, for background transfers that outlive an access token. The answer of
/// `POST /v1/groups/{id}/upload-tickets`.
public struct UploadTicket: Codable, Hashable, Sendable {
    /// A bearer token.
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
