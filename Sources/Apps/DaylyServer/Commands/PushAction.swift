import CommandKit
import Foundation
import Logging
import Push

/// `dayly push test`: sends a message to one device without the outbox, and reports the provider's answer.
package enum PushAction {
    /// - Parameter platform: `ios`, `android` or `web`; nil to infer it from the form of the token.
    /// - Returns: Whether the provider accepted the message, and its answer in words.
    /// - Throws: `CommandFailure` for a text that is not a token, and for a platform without a configured provider.
    package static func test(
        _ text: String, platform: String?, configuration: ServerConfiguration, logger: Logger
    ) async throws -> (isAccepted: Bool, text: String) {
        let token = try token(text, platform: platform)
        let pushes = try PushGateways(
            configuration.push, publicURL: configuration.http.publicURL, logger: logger)
        guard let gateway = pushes.gateways[token.platform] else {
            try await pushes.shutdown()
            let kind: PushSettings.Kind =
                switch token.platform {
                case .ios: .apns
                case .android: .fcm
                case .web: .web
                }
            throw CommandFailure(
                reason:
                    "push.kind does not have \(kind.rawValue), which reaches \(token.platform.rawValue) devices.",
                remedy: "Add it, with its settings; `dayly config` shows the values in force.")
        }
        let message = PushDiagnosis.message(expiresAt: Date().addingTimeInterval(3_600))
        let outcome = await gateway.send(message, to: token)
        try await pushes.shutdown()
        let remedy = PushDiagnosis.remedy(gateway.name, outcome)
        return (
            outcome == .accepted,
            PushDiagnosis.statement(gateway.name, outcome) + (remedy.isEmpty ? "" : "\n      \(remedy)")
        )
    }

    private static func token(_ text: String, platform: String?) throws -> DeviceToken {
        let platforms: [PushPlatform]
        if let platform {
            guard let known = PushPlatform(rawValue: platform) else {
                throw CommandFailure(
                    reason: "This platform does not exist.", remedy: "--platform is ios, android or web.")
            }
            platforms = [known]
        } else {
            platforms = [.ios, .android]
        }
        guard let token = platforms.lazy.compactMap({ DeviceToken(text, platform: $0) }).first else {
            throw CommandFailure(
                reason: "This is not a device token.",
                remedy: platforms.map { "For \($0.rawValue) it \(DeviceToken.rule(for: $0))." }
                    .joined(separator: "\n      "))
        }
        return token
    }
}
