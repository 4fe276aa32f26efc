/// `POST /v1/devices/register`.
public struct DeviceRegistration: Codable, Sendable {
    /// The token that the platform gave the app: APNs' token in hexadecimal digits, or FCM's registration token.
    public var deviceToken: String
    /// `ios` or `android`.
    public var platform: String

    public init(deviceToken: String, platform: String) {
        self.deviceToken = deviceToken
        self.platform = platform
    }

    enum CodingKeys: String, CodingKey {
        case deviceToken = "device_token"
        case platform
    }
}
