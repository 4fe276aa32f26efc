import HTTPKit
import RateLimiting

/// What is counted over time about codes, as limits.
struct AuthLimits: Sendable {
    private static let hour: Duration = .seconds(3_600)
    private static let day: Duration = .seconds(86_400)
    private static let strangers = ".stranger"

    let resendAfter: Duration
    let limits: CodeLimits

    init(configuration: AuthConfiguration) {
        resendAfter = configuration.resendAfter
        limits = configuration.limits
    }

    /// - Parameter isTrusted: whether that address verified the number before.
    func sending(to number: PhoneNumber, from address: ClientAddress?, isTrusted: Bool) -> [RateLimit] {
        ofNumber(number) + (isTrusted ? [] : ofStrangers(number)) + [ofPrefix(number), ofAddress(address)]
    }

    func ofNumber(_ number: PhoneNumber) -> [RateLimit] {
        let subject = number.rawValue
        return [
            RateLimit(scope: "code.number.pause", subject: subject, limit: 1, per: resendAfter),
            RateLimit(
                scope: "code.number.hour", subject: subject, limit: limits.numberPerHour, per: Self.hour),
            RateLimit(scope: "code.number.day", subject: subject, limit: limits.numberPerDay, per: Self.day),
        ]
    }

    /// What is left of a number's limits to addresses that it was never verified from.
    func ofStrangers(_ number: PhoneNumber) -> [RateLimit] {
        ofNumber(number).dropFirst().map { whole in
            RateLimit(
                scope: whole.scope + Self.strangers, subject: whole.subject,
                limit: max(1, whole.limit - limits.numberReserved), per: whole.window)
        }
    }

    func ofPrefix(_ number: PhoneNumber) -> RateLimit {
        RateLimit(
            scope: "code.prefix.hour", subject: number.prefix, limit: limits.prefixPerHour, per: Self.hour)
    }

    func ofAddress(_ address: ClientAddress?) -> RateLimit {
        RateLimit(
            scope: "code.address.hour", subject: Self.subject(address), limit: limits.addressPerHour,
            per: Self.hour)
    }

    func failures(of number: PhoneNumber) -> RateLimit {
        RateLimit(
            scope: "guess.number.hour", subject: number.rawValue, limit: limits.failuresPerNumber,
            per: Self.hour)
    }

    func failures(from address: ClientAddress?) -> RateLimit {
        RateLimit(
            scope: "guess.block.hour", subject: address?.block ?? "unknown", limit: limits.failuresPerBlock,
            per: Self.hour)
    }

    var failuresAnywhere: RateLimit {
        RateLimit(scope: "guess.minute", subject: "all", limit: limits.failuresPerMinute, per: .seconds(60))
    }

    /// Pauses that a number was given lately. Never used up: it is counted to know which one is the first.
    func pauses(of number: PhoneNumber, window: Duration = Self.day) -> RateLimit {
        RateLimit(scope: "guess.number.pauses", subject: number.rawValue, limit: .max, per: window)
    }

    /// Guesses that are heard during a pause, at codes that were under way before.
    func exceptions(for number: PhoneNumber) -> RateLimit {
        RateLimit(scope: "guess.number.exceptions", subject: number.rawValue, limit: 10, per: Self.hour)
    }

    /// A refusal as it is told: a number's limit is one and the same for everybody, whoever may use how much of it.
    func told(_ refusal: RateLimited) -> RateLimited {
        guard refusal.scope.hasSuffix(Self.strangers) else { return refusal }
        let scope = String(refusal.scope.dropLast(Self.strangers.count))
        return RateLimited(
            scope: scope, limit: refusal.limit + limits.numberReserved, per: refusal.window,
            retryAfter: refusal.retryAfter)
    }

    /// An IPv6 address is one of a /64 that its owner may pick from freely; an IPv4 address counts alone.
    static func subject(_ address: ClientAddress?) -> String {
        guard let address else { return "unknown" }
        return address.description.contains(":") ? address.block : address.description
    }
}
