import Foundation

/// `POST /v1/auth/request-verification`.
public struct VerificationRequest: Codable, Sendable {
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

/// Work that a client may do to get a code in spite of a refusal: find `count` nonces for which the SHA-256 of their message
/// begins with `bits` zero bits. A message has `bytes` bytes: the nonce in eight, the most significant first; the token in ASCII;
/// and zeros.
public struct WorkChallenge: Codable, Sendable, Equatable {
    public var token: String
    public var bytes: Int
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
public struct WorkProof: Codable, Sendable, Equatable {
    public var token: String
    /// Ascending, below 2^53.
    public var nonces: [Int]

    public init(token: String, nonces: [Int]) {
        self.token = token
        self.nonces = nonces
    }
}

/// The answer to a `VerificationRequest`. It is the same for known and unknown numbers.
public struct VerificationStarted: Codable, Sendable {
    public var verificationID: ResourceID
    public var expiresAt: Date
    /// In seconds.
    public var expiresIn: Int
    /// In seconds: the time until the client may request another code.
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

/// `POST /v1/auth/verify`. `firstName` and `timeZone` are used for a new user only.
public struct VerifyRequest: Codable, Sendable {
    public var verificationID: String
    public var code: String
    public var firstName: String?
    public var timeZone: String?
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

/// `POST /v1/auth/refresh` and `POST /v1/auth/logout`.
public struct RefreshRequest: Codable, Sendable {
    public var refreshToken: String

    public init(refreshToken: String) {
        self.refreshToken = refreshToken
    }

    enum CodingKeys: String, CodingKey {
        case refreshToken = "refresh_token"
    }
}

/// The answer to `verify`, with `isNewUser`, and to `refresh`, without it.
public struct TokenResponse: Codable, Sendable {
    public var accessToken: String
    public var refreshToken: String
    /// Always `Bearer`.
    public var tokenType: String
    /// The lifetime of the access token in seconds.
    public var expiresIn: Int
    public var user: User
    public var isNewUser: Bool?

    public init(accessToken: String, refreshToken: String, expiresIn: Int, user: User, isNewUser: Bool? = nil)
    {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.tokenType = "Bearer"
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

/// The answer to `verify` and `refresh` with the header `Dayly-Session: cookie`: the refresh token is in a cookie.
public struct BrowserTokenResponse: Codable, Sendable {
    public var accessToken: String
    /// Always `Bearer`.
    public var tokenType: String
    /// The lifetime of the access token in seconds.
    public var expiresIn: Int
    public var user: User
    public var isNewUser: Bool?

    /// The same answer without its refresh token.
    public init(_ tokens: TokenResponse) {
        accessToken = tokens.accessToken
        tokenType = tokens.tokenType
        expiresIn = tokens.expiresIn
        user = tokens.user
        isNewUser = tokens.isNewUser
    }

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case user
        case isNewUser = "is_new_user"
    }
}

/// The caller's own profile: `GET /v1/users/me`.
public struct User: Codable, Sendable, Equatable {
    public var id: ResourceID
    public var phoneNumber: String
    @Nullable public var firstName: String?
    public var timeZone: String
    public var discoverable: Bool
    /// `HH:MM` in `timeZone`. Between the two times the service sends no push messages. Either both are set or neither.
    @Nullable public var quietFrom: String?
    @Nullable public var quietTo: String?
    public var createdAt: Date

    public init(
        id: ResourceID, phoneNumber: String, firstName: String?, timeZone: String, discoverable: Bool,
        quietFrom: String? = nil, quietTo: String? = nil, createdAt: Date
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

/// `PATCH /v1/users/me`. Members that are left out do not change.
public struct UserPatch: Codable, Sendable {
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

    /// Only the quiet hours accept `null`. For other members it is refused; a synthesised initialiser would treat it like a
    /// member that is left out.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func value<Value: Decodable>(_ key: CodingKeys, _ type: Value.Type = Value.self) throws -> Value? {
            container.contains(key) ? try container.decode(type, forKey: key) : nil
        }
        firstName = try value(.firstName)
        timeZone = try value(.timeZone)
        discoverable = try value(.discoverable)
        quietFrom = try value(.quietFrom)
        quietTo = try value(.quietTo)
    }

    enum CodingKeys: String, CodingKey {
        case firstName = "first_name"
        case timeZone = "time_zone"
        case discoverable
        case quietFrom = "quiet_from"
        case quietTo = "quiet_to"
    }
}

/// A signed-in device.
public struct SessionInfo: Codable, Sendable {
    public var id: ResourceID
    @Nullable public var deviceName: String?
    public var createdAt: Date
    public var lastUsedAt: Date
    /// Whether the request was made with this session.
    public var current: Bool

    public init(id: ResourceID, deviceName: String?, createdAt: Date, lastUsedAt: Date, current: Bool) {
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

/// `GET /v1/auth/sessions`.
public struct SessionList: Codable, Sendable {
    public var sessions: [SessionInfo]

    public init(sessions: [SessionInfo]) {
        self.sessions = sessions
    }
}
