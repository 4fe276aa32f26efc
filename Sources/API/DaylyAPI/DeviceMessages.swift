/// `POST /v1/devices/register`.
public struct DeviceRegistration: Codable, Sendable {
    /// The token that the platform gave the app: APNs' token in hexadecimal digits, or FCM's registration token. Nil for
    /// `web`.
    public var deviceToken: String?
    /// `ios`, `android` or `web`.
    public var platform: String
    /// The browser's subscription; required for `web`.
    public var subscription: Subscription?
    /// The language of messages to a browser, such as `de`; English unless given.
    public var language: String?

    public init(deviceToken: String, platform: String) {
        self.deviceToken = deviceToken
        self.platform = platform
    }

    public init(subscription: Subscription, language: String? = nil) {
        platform = "web"
        self.subscription = subscription
        self.language = language
    }

    /// A browser's `PushSubscription` as its `toJSON()` gives it.
    public struct Subscription: Codable, Sendable {
        public var endpoint: String
        public var keys: Keys

        public init(endpoint: String, p256dh: String, auth: String) {
            self.endpoint = endpoint
            keys = Keys(p256dh: p256dh, auth: auth)
        }

        /// Both are in base64url.
        public struct Keys: Codable, Sendable {
            public var p256dh: String
            public var auth: String
        }
    }

    enum CodingKeys: String, CodingKey {
        case deviceToken = "device_token"
        case platform
        case subscription
        case language
    }
}

/// `GET /v1/push/web-key`.
public struct WebPushKey: Codable, Sendable {
    /// The `applicationServerKey` of a browser's subscription: an uncompressed P-256 point in base64url.
    public var key: String

    public init(key: String) {
        self.key = key
    }
}
