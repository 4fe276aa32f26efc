extension BrowserTokenResponse {
    /// The same answer without its refresh token.
    public init(_ tokens: TokenResponse) {
        self.init(
            accessToken: tokens.accessToken, expiresIn: tokens.expiresIn, user: tokens.user,
            isNewUser: tokens.isNewUser)
    }
}

extension UserPatch {
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
}
