import Foundation
import Settings

package struct SMSSettings: SettingGroup {
    package enum Kind: String, CaseIterable, Sendable {
        case console, http, twilio
    }

    @Setting(
        "sms.kind", .choices(),
        default: .derived("`console` in development") {
            $0("environment") == "development" ? "console" : nil
        },
        "The gateways, tried in order: `http`, `twilio`, or `console` (the log). Required in production.",
        remedy: "Set it to http, twilio or both, comma-separated (console in development).")
    package var kinds: [Kind]

    @Setting(
        "sms.http.url", .webURL,
        "Receives POST `{id, to, body}`; 2xx is accepted. A message whose answer was lost is sent again, so "
            + "the gateway must recognise its `id`. Required with `http`.",
        remedy: Self.remedy)
    package var httpURL: URL?

    @Setting(
        "sms.http.token", .text, "The bearer token of these requests. Required with `http` in production.",
        remedy: Self.remedy, secret: true)
    package var httpToken: String?

    package var twilioSettings = TwilioSettings()
    package var queue = SMSQueue.Configuration()

    package init() {}

    /// Nil: `kinds` does not have it.
    package var twilio: TwilioSettings? { kinds.contains(.twilio) ? twilioSettings : nil }

    private static let remedy = "Take it from the SMS gateway, or leave http out of sms.kind."
}

package struct TwilioSettings: SettingGroup {
    @Setting("sms.twilio.url", .webURL, default: "https://api.twilio.com", "The URL of Twilio's API.")
    package var url: URL

    @Setting("sms.twilio.account_sid", .text, "The account, required with `twilio`.", remedy: Self.remedy)
    package var accountSID: String

    @Setting(
        "sms.twilio.auth_token", .text, "The account's token, required with `twilio`.", remedy: Self.remedy,
        secret: true)
    package var authToken: String

    @Setting(
        "sms.twilio.from", .text, "The sender's number or messaging service, required with `twilio`.",
        remedy: Self.remedy)
    package var sender: String

    package init() {}

    private static let remedy = "Take it from the Twilio console, or leave twilio out of sms.kind."
}
