import DaylyAPI
import Foundation

/// The addresses to which the user's push messages go: a token of each device.
public struct PushAddressRepository: Sendable {
    let calls: ServiceCalls

    /// Registers the token that `didRegisterForRemoteNotificationsWithDeviceToken` gave. Register at every start: the
    /// token belongs to the session and ends with it.
    public func register(apnsToken: Data) async throws(DaylyError) {
        try await register(DeviceRegistration(deviceToken: Self.hexadecimal(apnsToken), platform: "ios"))
    }

    /// Registers the address of any kind of device.
    public func register(_ registration: DeviceRegistration) async throws(DaylyError) {
        try await calls.perform(.registerDevice, json: registration)
    }

    public func unregister(apnsToken: Data) async throws(DaylyError) {
        try await unregister(deviceToken: Self.hexadecimal(apnsToken))
    }

    public func unregister(deviceToken: String) async throws(DaylyError) {
        try await calls.perform(.unregisterDevice, path: [deviceToken])
    }

    /// The key of a browser's subscription.
    public func webPushKey() async throws(DaylyError) -> WebPushKey {
        try await calls.get(.getWebPushKey)
    }

    private static func hexadecimal(_ token: Data) -> String {
        let digits = Array("0123456789abcdef")
        return String(token.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
