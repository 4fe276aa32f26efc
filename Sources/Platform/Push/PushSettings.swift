import Settings

package struct PushSettings: SettingGroup {
    package enum Kind: String, CaseIterable, Sendable {
        case none, apns, fcm, web
    }

    @Setting(
        "push.kind", .choices(), default: "none", "Any of `apns` (iOS), `fcm` (Android) and `web` (browsers)."
    )
    package var kinds: [Kind]

    package var apnsSettings = APNSSettings()
    package var fcmSettings = FCMSettings()
    package var webSettings = WebPushSettings()

    package init() {}

    /// Nil: `kinds` does not have it.
    package var apns: APNSSettings? { kinds.contains(.apns) ? apnsSettings : nil }
    package var fcm: FCMSettings? { kinds.contains(.fcm) ? fcmSettings : nil }
    package var web: WebPushSettings? { kinds.contains(.web) ? webSettings : nil }
}

package struct APNSSettings: SettingGroup {
    @Setting(
        "push.apns.url", .webURL, default: "https://api.push.apple.com",
        "`https://api.sandbox.push.apple.com` for apps run from Xcode.")
    package var url: String

    @Setting("push.apns.team_id", .appleID, "The team's id, required with `apns`.", remedy: Self.remedy)
    package var teamID: String

    @Setting("push.apns.key_id", .appleID, "The key's id, required with `apns`.", remedy: Self.remedy)
    package var keyID: String

    @Setting("push.apns.key", .path, "The key's `.p8` file, required with `apns`.", remedy: Self.remedy)
    package var keyPath: String

    @Setting(
        "push.apns.topic",
        .form("a bundle id", like: "com.example.dayly", #"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+"#),
        "The app's bundle id, required with `apns`.", remedy: Self.remedy)
    package var topic: String

    @Setting("push.apns.ca_file", .path, "A PEM file of certificates to trust instead of the system's.")
    package var caFile: String?

    package init() {}

    private static let remedy =
        "Take it from the Apple developer account (Certificates, Identifiers & Profiles: Keys), or leave "
        + "apns out of "
        + "push.kind."
}

package struct FCMSettings: SettingGroup {
    @Setting(
        "push.fcm.url", .webURL, default: "https://fcm.googleapis.com", "The URL of Firebase Cloud Messaging."
    )
    package var url: String

    @Setting(
        "push.fcm.service_account", .path,
        "The JSON file as the Firebase console makes it, required with `fcm`; its `token_uri` is used.",
        remedy:
            "Name the JSON file that the Firebase console makes (Project settings: Service accounts), or "
            + "leave fcm out of push.kind."
    )
    package var serviceAccountPath: String

    package init() {}
}

package struct WebPushSettings: SettingGroup {
    @Setting(
        "push.web.key", .path,
        "A PEM file with a P-256 private key, required with `web`. Browsers bind their subscriptions to it.",
        remedy: "Make one: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out web-push.pem. "
            + "Then: chown root:dayly web-push.pem; chmod 640 web-push.pem")
    package var keyPath: String

    @Setting(
        "push.web.contact",
        .form(
            "a contact for push services", like: "mailto:you@your-domain.org",
            #"mailto:[^@\s]+@[^@\s]+\.[^@\s]+|https://[^\s/@]+\.[^\s@]+"#),
        "Where push services reach the operator, required with `web`. Apple refuses a domain that does not exist on the internet."
    )
    package var contact: String

    @Setting(
        "push.web.url", .webURL,
        "A relay that gets all messages instead of the hosts of the push services. For tests, and for networks "
            + "without another way out.")
    package var relay: String?

    package init() {}
}

extension SettingKind where Value == String {
    /// The id of a developer team or of a key, as App Store Connect shows it.
    fileprivate static var appleID: Self {
        .form("an id of ten letters and digits", like: "ABCDE12345", "[A-Z0-9]{10}")
    }
}
