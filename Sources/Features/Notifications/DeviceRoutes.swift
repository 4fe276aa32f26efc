import Auth
import DaylyAPI
import FeatureKit
import HTTPKit
import Hummingbird
import Push

/// The calls of the API about devices.
struct DeviceRoutes: Sendable {
    let devices: DeviceStore
    /// The public key to which browsers bind their subscriptions; nil without messages to browsers.
    let webPushKey: String?

    init(devices: DeviceStore, webPushKey: String? = nil) {
        self.devices = devices
        self.webPushKey = webPushKey
    }

    var routes: [Route] {
        [
            Route(.get, "push/web-key", use: showWebKey),
            Route(.post, "devices/register", use: register),
            Route(.delete, "devices/:token", .erases, use: unregister),
        ]
    }

    @Sendable private func showWebKey(
        _ request: Request, _ context: AppContext
    ) async throws -> Reply<WebPushKey> {
        guard let webPushKey else { throw DeviceError.noWebPush }
        return Reply(WebPushKey(key: webPushKey))
    }

    @Sendable private func register(
        _ request: Request, _ context: AppContext
    ) async throws -> HTTPResponse.Status {
        let caller = try context.requireIdentity()
        let body = try await request.decodeJSON(DeviceRegistration.self, context: context)
        try await devices.register(Self.token(of: body), for: caller.user, in: caller.session)
        return .noContent
    }

    private static func token(of body: DeviceRegistration) throws(DeviceError) -> DeviceToken {
        guard let platform = PushPlatform(rawValue: body.platform) else { throw .unknownPlatform }
        if platform == .web { return DeviceToken(try subscription(of: body)) }
        guard let text = body.deviceToken else { throw .missing(pointer: "/device_token") }
        guard let token = DeviceToken(text, platform: platform) else { throw .malformedToken(platform) }
        return token
    }

    private static func subscription(
        of body: DeviceRegistration
    ) throws(DeviceError) -> WebPushSubscription {
        guard let given = body.subscription else { throw .missing(pointer: "/subscription") }
        do {
            return try WebPushSubscription(
                endpoint: given.endpoint, key: given.keys.p256dh, secret: given.keys.auth,
                language: body.language ?? "en")
        } catch {
            throw .malformedSubscription(error)
        }
    }

    @Sendable private func unregister(
        _ request: Request, _ context: AppContext
    ) async throws -> HTTPResponse.Status {
        try await devices.unregister(context.requireParameter("token"), by: context.requireUser())
        return .noContent
    }
}

extension DeviceError: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .unknownPlatform:
            .invalidRequest(pointer: "/platform", detail: "Please use ios, android or web.")
        case .malformedToken(let platform):
            .invalidRequest(pointer: "/device_token", detail: DeviceToken.rule(for: platform))
        case .missing(let pointer):
            .invalidRequest(pointer: pointer, detail: "This member is required.")
        case .malformedSubscription(let fault):
            .invalidRequest(pointer: fault.pointer, detail: fault.rule)
        case .noWebPush: .notFound
        case .sessionOver: .unauthorized
        }
    }
}

extension WebPushSubscription.Fault {
    fileprivate var pointer: String {
        switch self {
        case .endpoint: "/subscription/endpoint"
        case .key: "/subscription/keys/p256dh"
        case .secret: "/subscription/keys/auth"
        case .language: "/language"
        }
    }
}
