import HTTPKit
import RateLimiting

/// What is counted over time about codes.
struct AuthLimits: Sendable {
    let configuration: AuthConfiguration

    func sending(to number: PhoneNumber, from address: ClientAddress?) -> [RateLimit] {
        let subject = number.rawValue
        return [
            RateLimit(scope: "code.number.pause", subject: subject, limit: 1, per: configuration.resendAfter),
            RateLimit(
                scope: "code.number.hour", subject: subject, limit: configuration.codesPerNumberAndHour,
                per: .seconds(3_600)),
            RateLimit(
                scope: "code.number.day", subject: subject, limit: configuration.codesPerNumberAndDay,
                per: .seconds(86_400)),
            RateLimit(
                scope: "code.address.hour", subject: Self.subject(address),
                limit: configuration.codesPerAddressAndHour, per: .seconds(3_600)),
        ]
    }

    func failures(of number: PhoneNumber) -> [RateLimit] {
        [
            RateLimit(
                scope: "guess.number.hour", subject: number.rawValue,
                limit: configuration.failuresPerNumberAndHour, per: .seconds(3_600))
        ]
    }

    /// An IPv6 address is one of a /64 that its owner may pick from freely; an IPv4 address counts alone.
    private static func subject(_ address: ClientAddress?) -> String {
        guard let address else { return "unknown" }
        return address.description.contains(":") ? address.block : address.description
    }
}
