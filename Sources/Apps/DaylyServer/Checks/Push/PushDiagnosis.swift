import Foundation
import Push

/// Texts about the answer of a push provider, for `dayly push test` and `dayly doctor`.
enum PushDiagnosis {
    /// A message whose texts no app has to know: an app without them shows the keys, which is enough for a test.
    static func message(expiresAt: Date) -> PushMessage {
        PushMessage(
            id: UUID(), collapseID: "test", threadID: "test", titleKey: "push_test_title",
            bodyKey: "push_test_body", data: ["kind": "test"], expiresAt: expiresAt)
    }

    /// - Parameter name: The provider: `apns`, `fcm` or `web`.
    static func statement(_ name: String, _ outcome: PushOutcome) -> String {
        switch outcome {
        case .accepted: "\(name) has accepted the message; the device shows it once it is online."
        case .unregistered(_, let reason): "\(name) does not know this device (\(reason))"
        case .doubtful(let reason):
            "\(name) does not know this device under our credentials (\(reason))"
        case .throttled(_, let reason):
            "\(name) reports too many messages to this device (\(reason))"
        case .unavailable(_, let reason): "\(name) cannot be reached (\(reason))"
        case .postponed: "\(name) was not asked, because it failed a moment ago"
        case .refused(let reason): "\(name) refuses the message (\(reason))"
        case .misconfigured(let reason): "\(name) refuses our credentials or settings (\(reason))"
        }
    }

    /// The remedy; empty after success.
    static func remedy(_ name: String, _ outcome: PushOutcome) -> String {
        switch (name, outcome) {
        case (_, .accepted): ""
        case ("apns", .doubtful("BadDeviceToken")), ("apns", .misconfigured("BadDeviceToken")):
            "An app that Xcode installed has a token of the sandbox: set push.apns.url=https://api.sandbox.push.apple.com."
        case ("apns", .doubtful("DeviceTokenNotForTopic")),
            ("apns", .misconfigured("DeviceTokenNotForTopic")):
            "The token belongs to another app: push.apns.topic must be the bundle ID of the app that registered it."
        case (_, .doubtful("SENDER_ID_MISMATCH")), (_, .misconfigured("SENDER_ID_MISMATCH")):
            "The token belongs to another Firebase project: push.fcm.service_account must be of the app's project."
        case ("fcm", .doubtful("NOT_FOUND")), ("fcm", .misconfigured("NOT_FOUND")):
            "Check push.fcm.url, and that push.fcm.service_account is of the app's project."
        case ("web", .doubtful):
            "The browser subscribed with another push.web.key. The web client subscribes again at its next start."
        case ("web", .misconfigured):
            "Check push.web.contact, which must exist, and synchronize this machine's clock by NTP. After a change of "
                + "push.web.key this ends with the first browser that subscribes again."
        case ("web", .unavailable):
            "Check that this machine may connect to the push services of Google, Mozilla, Apple and Microsoft."
        case (_, .unregistered), (_, .doubtful): "Let the app register again, because tokens change."
        case (_, .throttled), (_, .postponed): "Try again in a few minutes."
        case (_, .unavailable):
            "Check that this machine may connect to push.\(name).url, and read the provider's status page."
        case (_, .refused): "This is a defect of Dayly: report it with the reason above."
        case ("apns", .misconfigured("InvalidProviderToken")):
            "push.apns.team_id, .key_id and .key must belong together, and the key must not be revoked."
        case ("apns", .misconfigured("ExpiredProviderToken")):
            "Synchronize this machine's clock by NTP: Apple compares it with its own."
        case ("apns", .misconfigured):
            "Check push.apns.topic (the app's bundle ID), push.apns.url, and what the key is allowed to do."
        case (_, .misconfigured):
            "Check push.fcm.service_account: the account must exist, its key must not be revoked, and the Firebase "
                + "Cloud Messaging API must be enabled for its project."
        }
    }
}
