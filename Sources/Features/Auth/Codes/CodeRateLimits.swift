import HTTPKit
import RateLimiting

/// What is counted over time about codes, as limits.
struct CodeRateLimits: Sendable {
    private static let hour: Duration = .seconds(3_600)
    private static let day: Duration = .seconds(86_400)
    private static let strangers = ".stranger"
    private static let known = ".known"

    let resendAfter: Duration
    let limits: CodeQuotas

    init(configuration: AuthSettings) {
        resendAfter = configuration.resendAfter
        limits = configuration.limits
    }

    /// All that is counted about a code for an address that never verified the number.
    func ofStranger(_ number: PhoneNumber, from address: ClientAddress?) -> [RateLimit] {
        ofNumber(number) + ofStrangers(number) + [ofPrefix(number)] + ofAddress(address)
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

    /// The part of a number's limits that strangers cannot use up, even where their windows and the number's own overlap
    /// badly. In the order of `ofNumber`, without its pause.
    func ofKnown(_ number: PhoneNumber) -> [RateLimit] {
        ofNumber(number).dropFirst().map { whole in
            RateLimit(
                scope: whole.scope + Self.known, subject: whole.subject, limit: limits.numberReserved,
                per: whole.window)
        }
    }

    func ofPrefix(_ number: PhoneNumber) -> RateLimit {
        RateLimit(
            scope: "code.prefix.hour", subject: number.prefix, limit: limits.prefixPerHour, per: Self.hour)
    }

    /// An address and the blocks around it, because one host may own many addresses. All refill steadily, so that no
    /// neighbour shuts out the others behind one carrier's address for a whole hour.
    func ofAddress(_ address: ClientAddress?) -> [RateLimit] {
        let whole = max(limits.addressPerHour, limits.networkPerHour)
        let site = min(3 * limits.addressPerHour, whole)
        let block = min(2 * limits.addressPerHour, whole)
        let own = refilling("code.address.hour", Self.subject(address), limits.addressPerHour)
        guard let address else { return [own] }
        let network = refilling("code.network.hour", address.block(ofLength: address.isIPv4 ? 16 : 32), whole)
        guard !address.isIPv4 else {
            return [own, refilling("code.block.hour", address.block(ofLength: 24), block), network]
        }
        return [
            own, refilling("code.block.hour", address.block(ofLength: 56), block),
            refilling("code.site.hour", address.block(ofLength: 48), site), network,
        ]
    }

    /// The same for addresses that ask for codes to numbers that they verified before: strangers behind the same address
    /// do not use it up.
    func ofKnownAddress(_ address: ClientAddress?) -> RateLimit {
        refilling("code.address.hour" + Self.known, Self.subject(address), limits.addressPerHour)
    }

    private func refilling(_ scope: String, _ subject: String, _ limit: Int) -> RateLimit {
        RateLimit(scope: scope, subject: subject, limit: limit, per: Self.hour, refills: true)
    }

    func failures(of number: PhoneNumber) -> RateLimit {
        RateLimit(
            scope: "guess.number.hour", subject: number.rawValue, limit: limits.failuresPerNumber,
            per: Self.hour)
    }

    func failures(from address: ClientAddress?) -> RateLimit {
        refilling("guess.block.hour", address?.block ?? "unknown", limits.failuresPerBlock)
    }

    var failuresAnywhere: RateLimit {
        RateLimit(scope: "guess.minute", subject: "all", limit: limits.failuresPerMinute, per: .seconds(60))
    }

    /// Pauses that a number was given lately. Never used up: it is counted to know which one is the first.
    func pauses(of number: PhoneNumber, window: Duration = Self.day) -> RateLimit {
        RateLimit(scope: "guess.number.pauses", subject: number.rawValue, limit: .max, per: window)
    }

    /// Guesses that are checked during a pause: at codes that were under way before, and apart from these at codes for
    /// addresses that verified the number before.
    func exceptions(for number: PhoneNumber, isTrusted: Bool) -> RateLimit {
        RateLimit(
            scope: "guess.number.exceptions" + (isTrusted ? Self.known : ""), subject: number.rawValue,
            limit: 10, per: Self.hour)
    }

    /// A refusal as the answer names it: a limit is the same for everybody, whoever may use how much of it.
    func told(_ refusal: RateLimited) -> RateLimited {
        if refusal.scope.hasSuffix(Self.known) {
            return RateLimited(
                scope: String(refusal.scope.dropLast(Self.known.count)), limit: refusal.limit,
                per: refusal.window, retryAfter: refusal.retryAfter)
        }
        guard refusal.scope.hasSuffix(Self.strangers) else { return refusal }
        let scope = String(refusal.scope.dropLast(Self.strangers.count))
        return RateLimited(
            scope: scope, limit: refusal.limit + limits.numberReserved, per: refusal.window,
            retryAfter: refusal.retryAfter)
    }

    /// An IPv6 address is one of a /64 that its owner may pick from freely; an IPv4 address counts alone.
    static func subject(_ address: ClientAddress?) -> String {
        guard let address else { return "unknown" }
        return address.isIPv4 ? address.description : address.block
    }
}
