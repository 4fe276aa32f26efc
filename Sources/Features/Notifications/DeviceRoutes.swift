import Auth
import DaylyAPI
import FeatureKit
import HTTPKit
import Hummingbird
import Push

/// The calls of the API about devices.
struct DeviceRoutes: Sendable {
    let devices: DeviceStore

    init(devices: DeviceStore) {
        self.devices = devices
    }

    var routes: [Route] {
        [
            Route(.post, "devices/register", use: register),
            Route(.delete, "devices/:token", .erases, use: unregister),
        ]
    }

    @Sendable private func register(
        _ request: Request, _ context: AppContext
    ) async throws -> HTTPResponse.Status {
        let caller = try context.requireIdentity()
        let body = try await request.decodeJSON(DeviceRegistration.self, context: context)
        guard let platform = PushPlatform(rawValue: body.platform) else { throw DeviceError.unknownPlatform }
        guard let token = DeviceToken(body.deviceToken, platform: platform) else {
            throw DeviceError.malformedToken(platform)
        }
        try await devices.register(token, for: caller.user, in: caller.session)
        return .noContent
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
        case .unknownPlatform: .invalidRequest(pointer: "/platform", detail: "Please use ios or android.")
        case .malformedToken(let platform):
            .invalidRequest(pointer: "/device_token", detail: DeviceToken.rule(for: platform))
        case .sessionOver: .unauthorized
        }
    }
}
