import Foundation
import PhoneNumbers
import Settings

package struct AuthSettings: SettingGroup {
    @Setting(
        "auth.access_token_lifetime", .duration(.seconds(5) ... .days(1)), default: "15m",
        "How long an access token is valid.")
    package var accessTokenLifetime: Duration

    @Setting(
        "auth.refresh_token_lifetime", .duration(.seconds(10) ... .days(400)), default: "60d",
        "How long a refresh token is valid; it ends with the last UTC day.")
    package var refreshTokenLifetime: Duration

    @Setting(
        "auth.otp.lifetime", .duration(.seconds(1) ... .hours(1)), default: "5m",
        "How long a sign-in code is valid.")
    package var codeLifetime: Duration

    @Setting("auth.otp.attempts", .number(1...20), default: "5", "Attempts at one code.")
    package var codeAttempts: Int

    @Setting(
        "auth.otp.resend_after", .duration(.zero ... .hours(1)), default: "30s",
        "The least time between two codes to one number.")
    package var resendAfter: Duration

    var limits = CodeQuotas()

    @Setting(
        "auth.reviewers", .reviewers,
        "App stores' reviewers: `+14155550199=123456@2026-12-31`, a number, its fixed code and its last day "
            + "(UTC, at most 90 days ahead). They get no SMS, and each use is logged."
    )
    package var reviewNumbers: [ReviewNumber]

    @Setting(
        "sms.countries", .countries,
        "Calling codes (`49`) or countries (`DE`) that get SMS; empty: all. `1` is all of North America, "
            + "`US` is not."
    )
    package var countries: [String]

    @Setting(
        "sms.android_hash",
        .form(
            "the hash of an Android app (11 characters of base64)", like: "FA+9qCX9VSu", "[A-Za-z0-9+/]{11}"),
        "The Android app's 11 characters for the SMS Retriever, which fills in codes.")
    var androidHash: String?

    @Setting(
        "accounts.dormant_after", .duration(.days(1) ... .days(3_650)), default: "90d",
        "An account that no client has used for so long is deleted, because its number may have a new "
            + "owner. Use is recorded by the day, so an account may live a day longer."
    )
    var dormantAfter: Duration

    /// The price of a code to strangers while a limit is near.
    var work = WorkPrice()
    /// The host of the public URL. The last line of a code's message names it, for autofill.
    package var host = "localhost"
    /// The origin of the public URL decides which pages may keep a session in a cookie.
    package var browsers = BrowserSessions(origin: "http://localhost", isSecure: false)

    package init() {}
}

/// How many codes are sent and how many guesses are checked.
struct CodeQuotas: SettingGroup {
    @Setting("auth.otp.limits.number_per_hour", .count, default: "5", "Codes to one number in an hour.")
    var numberPerHour: Int

    @Setting("auth.otp.limits.number_per_day", .count, default: "10", "Codes to one number in a day.")
    var numberPerDay: Int

    /// The part of both that only addresses which verified the number before can use, and the codes that one network gets by
    /// work in a day: enough for one sign-in and one slip.
    var numberReserved = 2

    @Setting(
        "auth.otp.limits.address_per_hour", .count, default: "30",
        "Codes in an hour to strangers from one address (an IPv6 /64). A /24 or /56 gets twice as many, a "
            + "/48 three times, at most `network_per_hour`."
    )
    var addressPerHour: Int

    /// Thousands of people may share such a network. A code that comes to use does not count.
    @Setting(
        "auth.otp.limits.network_per_hour", .count, default: "120",
        "Codes in an hour to strangers from one network (an IPv4 /16, an IPv6 /32). Codes that are used do "
            + "not count."
    )
    var networkPerHour: Int

    @Setting(
        "auth.otp.limits.prefix_per_hour", .count, default: "100",
        "Codes in an hour that strangers request for numbers that differ in their last four digits only.")
    var prefixPerHour: Int

    /// The last codes of such a prefix by which it is judged: fewer would close prefixes by chance.
    var prefixSample = 100

    /// Where fewer percent of `prefixSample` came to use, the prefix is closed. People use most of their codes, SMS pumping
    /// uses none.
    var prefixVerifiedPercent = 20

    /// How long such a prefix is closed.
    var prefixPause: Duration = .hours(1)

    /// Wrong codes for one number in an hour, over all its codes; then comes a pause. The pauses leave a guesser some 30
    /// tries a day at a million codes.
    var failuresPerNumber = 15

    /// The length of that pause.
    var failuresPause: Duration = .hours(1)

    /// The length of another pause within a day of the last one.
    var failuresLongPause: Duration = .hours(24)

    /// Wrong codes in an hour from one IPv4 /24 or IPv6 /64, where many people may sit.
    var failuresPerBlock = 100

    /// Wrong codes in a minute from anywhere: a guesser with a million addresses has to be slow too.
    var failuresPerMinute = 300

    init() {}
}

extension SettingKind where Value == Int {
    fileprivate static var count: Self { .number(1...1_000_000) }
}

extension SettingKind where Value == [String] {
    /// Calling codes without a plus and ISO 3166 regions, as libphonenumber knows them.
    static var countries: Self {
        let country = SettingKind<String>(placeholder: "") { text throws(MalformedSetting) in
            guard let country = PhoneCountries.country(text) else { throw MalformedSetting("") }
            return country
        }
        return .list(
            of: country, fault: "neither a country's calling code, such as 49, nor a country, such as DE")
    }
}

extension SettingKind where Value == [ReviewNumber] {
    static var reviewers: Self { checkedReviewers() }

    /// A complaint names an entry by its position, because an entry holds a code.
    ///
    /// - Parameter now: the machine's clock. A configuration is read before there is a database.
    static func checkedReviewers(now: @escaping @Sendable () -> Date = { Date() }) -> Self {
        Self(
            placeholder: [],
            mask: {
                SettingText.list($0).map { ReviewNumber($0)?.masked ?? Masking.mask }.joined(separator: ",")
            }
        ) { text throws(MalformedSetting) in
            var numbers: [ReviewNumber] = []
            for (index, entry) in SettingText.list(text).enumerated() {
                guard let number = ReviewNumber(entry) else {
                    throw MalformedSetting(
                        "has an entry (number \(index + 1)) that does not look like "
                            + "+14155550199=123456@2026-12-31: "
                            + "a number, its code of six digits, the last day")
                }
                let timeLeft = number.end.timeIntervalSince(now())
                guard timeLeft <= Double(ReviewNumber.maxDays + 1) * 86_400 else {
                    throw MalformedSetting(
                        "has an entry (number \(index + 1)) that ends more than \(ReviewNumber.maxDays) "
                            + "days from now"
                    )
                }
                numbers.append(number)
            }
            return numbers
        }
    }
}
