import Foundation
import Logging
import Push

/// What `dayly push test` does: sends a message to one device, past the outbox, and says what became of it.
package enum PushCommand {
    package struct Report: Sendable {
        package let isAccepted: Bool
        package let text: String
    }

    /// - Parameter platform: nil: what the token looks like.
    /// - Throws: `ServeFailure` where the token is none, or its platform's provider is not configured.
    package static func test(
        _ text: String, platform: String?, configuration: ServerConfiguration, logger: Logger
    ) async throws -> Report {
        let token = try token(text, platform: platform)
        let pushes = try PushGateways(configuration.push, logger: logger)
        guard let gateway = pushes.gateways[token.platform] else {
            try await pushes.shutdown()
            let kind = token.platform == .ios ? "apns" : "fcm"
            throw ServeFailure(
                reason:
                    "push.kind does not have \(kind), which reaches \(token.platform.rawValue) devices.",
                remedy: "Add it, with its settings; `dayly config` shows what is in force.")
        }
        let outcome = await gateway.send(
            message(expiresAt: Date().addingTimeInterval(3_600)), to: token)
        try await pushes.shutdown()
        let remedy = remedy(gateway.name, outcome)
        return Report(
            isAccepted: outcome == .accepted,
            text: statement(gateway.name, outcome) + (remedy.isEmpty ? "" : "\n      \(remedy)"))
    }

    private static func token(_ text: String, platform: String?) throws -> DeviceToken {
        let platforms: [PushPlatform]
        if let platform {
            guard let known = PushPlatform(rawValue: platform) else {
                throw ServeFailure(
                    reason: "There is no such platform.", remedy: "--platform is ios or android.")
            }
            platforms = [known]
        } else {
            platforms = [.ios, .android]
        }
        guard let token = platforms.lazy.compactMap({ DeviceToken(text, platform: $0) }).first else {
            throw ServeFailure(
                reason: "That is no device token.",
                remedy: platforms.map { "For \($0.rawValue) it \(DeviceToken.rule(for: $0))." }
                    .joined(separator: "\n      "))
        }
        return token
    }

    /// Texts that apps need for this alone: an app without them shows the keys, which will do for a test.
    static func message(expiresAt: Date) -> PushMessage {
        PushMessage(
            id: UUID(), collapseID: "test", threadID: "test", titleKey: "push_test_title",
            bodyKey: "push_test_body", data: ["kind": "test"], expiresAt: expiresAt)
    }

    static func statement(_ name: String, _ outcome: PushOutcome) -> String {
        switch outcome {
        case .accepted: "\(name) has accepted the message; the device shows it when it is reached."
        case .unregistered(_, let reason): "\(name) knows no such device (\(reason))"
        case .doubtful(let reason):
            "\(name) knows no such device together with our credentials (\(reason))"
        case .throttled(_, let reason):
            "\(name) says that this device has had too many messages (\(reason))"
        case .unavailable(_, let reason): "\(name) cannot be asked (\(reason))"
        case .postponed: "\(name) was not asked: it failed before"
        case .refused(let reason): "\(name) refuses the message (\(reason))"
        case .misconfigured(let reason): "\(name) refuses us (\(reason))"
        }
    }

    /// What mends it; empty where nothing is to be mended.
    static func remedy(_ name: String, _ outcome: PushOutcome) -> String {
        switch (name, outcome) {
        case (_, .accepted): ""
        case ("apns", .doubtful("BadDeviceToken")), ("apns", .misconfigured("BadDeviceToken")):
            "An app from Xcode has a token of the sandbox: set push.apns.url=https://api.sandbox.push.apple.com for it."
        case ("apns", .doubtful("DeviceTokenNotForTopic")),
            ("apns", .misconfigured("DeviceTokenNotForTopic")):
            "The token is another app's: push.apns.topic is the bundle id of the app that registered it."
        case (_, .doubtful("SENDER_ID_MISMATCH")), (_, .misconfigured("SENDER_ID_MISMATCH")):
            "The token is another Firebase project's: push.fcm.service_account must be the project's that the app has."
        case ("fcm", .doubtful("NOT_FOUND")), ("fcm", .misconfigured("NOT_FOUND")):
            "Look at push.fcm.url, and whether the project of push.fcm.service_account is the app's."
        case (_, .unregistered), (_, .doubtful): "Let the app register again: tokens change."
        case (_, .throttled), (_, .postponed): "Try again in a few minutes."
        case (_, .unavailable):
            "See that this machine may connect to push.\(name).url, and what the provider's status page says."
        case (_, .refused): "This is a defect of Dayly: report it with the reason above."
        case ("apns", .misconfigured("InvalidProviderToken")):
            "push.apns.team_id, .key_id and .key must belong together, and the key must not be revoked."
        case ("apns", .misconfigured("ExpiredProviderToken")):
            "Let this machine keep its time by NTP: Apple compares."
        case ("apns", .misconfigured):
            "Look at push.apns.topic (the app's bundle id), .url, and what the key is allowed to do."
        case (_, .misconfigured):
            "Look at push.fcm.service_account: the account must exist, its key must not be revoked, and the Firebase "
                + "Cloud Messaging API must be enabled for its project."
        }
    }
}
