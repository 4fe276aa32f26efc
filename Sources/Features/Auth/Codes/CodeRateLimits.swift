import HTTPKit
import RateLimiting

extension RateScope {
    static let codeNumberPause: RateScope = "code.number.pause"
    static let codeNumberHour: RateScope = "code.number.hour"
    static let codeNumberDay: RateScope = "code.number.day"
    // Clients learn of the challenge instead of these.
    static let codeNumberWork = RateScope("code.number.work", isShared: true)
    static let codeNetworkWork = RateScope("code.network.work", isShared: true)
    static let codeProof = RateScope("code.proof", isShared: true)
    static let codeAddressHour: RateScope = "code.address.hour"
    static let codePrefixHour = RateScope("code.prefix.hour", isShared: true)
    static let codePrefixClosed = RateScope("code.prefix.closed", isShared: true)
    static let codeBlockHour = RateScope("code.block.hour", isShared: true)
    static let codeSiteHour = RateScope("code.site.hour", isShared: true)
    static let codeNetworkHour = RateScope("code.network.hour", isShared: true)

    static let guessNumberHour: RateScope = "guess.number.hour"
    static let guessNumberPauses: RateScope = "guess.number.pauses"
    static let guessNumberExceptions: RateScope = "guess.number.exceptions"
    static let guessBlockHour: RateScope = "guess.block.hour"
    static let guessMinute = RateScope("guess.minute", isShared: true)
}

/// The rate limits on codes and on guesses.
struct CodeRateLimits: Sendable {
    private static let hour: Duration = .seconds(3_600)
    private static let day: Duration = .seconds(86_400)

    let resendAfter: Duration
    let quotas: CodeQuotas

    init(configuration: AuthSettings) {
        resendAfter = configuration.resendAfter
        quotas = configuration.limits
    }

    // MARK: - Codes

    /// All limits on a code for an address that has never verified the number.
    func ofStranger(_ number: PhoneNumber, from address: ClientAddress?) -> [RateLimit] {
        ofNumber(number) + ofStrangers(number) + [ofPrefix(number)] + ofAddress(address)
    }

    func ofNumber(_ number: PhoneNumber) -> [RateLimit] {
        let subject = number.rawValue
        return [
            RateLimit(scope: .codeNumberPause, subject: subject, limit: 1, per: resendAfter),
            RateLimit(scope: .codeNumberHour, subject: subject, limit: quotas.numberPerHour, per: Self.hour),
            RateLimit(scope: .codeNumberDay, subject: subject, limit: quotas.numberPerDay, per: Self.day),
        ]
    }

    /// The part of a number's limits that strangers may use: addresses that have never verified the number.
    func ofStrangers(_ number: PhoneNumber) -> [RateLimit] {
        ofNumber(number).dropFirst().map { whole in
            RateLimit(
                scope: whole.scope.part(.stranger), subject: whole.subject,
                limit: max(1, whole.limit - quotas.numberReserved), per: whole.window)
        }
    }

    /// The part of a number's limits that strangers cannot use up, not even when their window and the number's own
    /// window overlap badly. In the order of `ofNumber`, without the pause.
    func ofKnown(_ number: PhoneNumber) -> [RateLimit] {
        ofNumber(number).dropFirst().map { whole in
            RateLimit(
                scope: whole.scope.part(.known), subject: whole.subject, limit: quotas.numberReserved,
                per: whole.window)
        }
    }

    /// All limits on a code for a stranger who has done the work, in place of those of the number's hour and day. One network gets
    /// few of these codes, so that an owner elsewhere still gets some.
    func ofWorker(_ number: PhoneNumber, from address: ClientAddress?) -> [RateLimit] {
        let ofNetwork = RateLimit(
            scope: .codeNetworkWork, subject: Self.subject(number, address), limit: quotas.numberReserved,
            per: Self.day)
        return [ofNumber(number)[0], ofWork(number), ofNetwork, ofPrefix(number)] + ofAddress(address)
    }

    /// The codes of a number that were got by work.
    func ofWork(_ number: PhoneNumber) -> RateLimit {
        RateLimit(
            scope: .codeNumberWork, subject: number.rawValue, limit: quotas.numberPerDay, per: Self.day)
    }

    /// The one code that the answer to a challenge pays for.
    func ofProof(_ work: ProvenWork, lifetime: Duration) -> RateLimit {
        RateLimit(scope: .codeProof, subject: work.challenge, limit: 1, per: lifetime)
    }

    func ofPrefix(_ number: PhoneNumber) -> RateLimit {
        RateLimit(
            scope: .codePrefixHour, subject: number.prefix, limit: quotas.prefixPerHour, per: Self.hour)
    }

    /// The limits on an address and on the blocks around it, because one host may own many addresses. All of them refill
    /// steadily, so that one client cannot shut out everybody behind the same carrier's address for a whole hour.
    func ofAddress(_ address: ClientAddress?) -> [RateLimit] {
        let whole = max(quotas.addressPerHour, quotas.networkPerHour)
        let site = min(3 * quotas.addressPerHour, whole)
        let block = min(2 * quotas.addressPerHour, whole)
        let own = refilling(.codeAddressHour, Self.subject(address), quotas.addressPerHour)
        guard let address else { return [own] }
        let network = refilling(.codeNetworkHour, Self.network(address), whole)
        guard !address.isIPv4 else {
            return [own, refilling(.codeBlockHour, address.block(ofLength: 24), block), network]
        }
        return [
            own, refilling(.codeBlockHour, address.block(ofLength: 56), block),
            refilling(.codeSiteHour, address.block(ofLength: 48), site), network,
        ]
    }

    /// The limit on an address that requests codes to numbers that it has verified before. Strangers behind the same
    /// address do not use it up.
    func ofKnownAddress(_ address: ClientAddress?) -> RateLimit {
        refilling(.codeAddressHour.part(.known), Self.subject(address), quotas.addressPerHour)
    }

    /// A refusal as the answer names it: always by the whole limit, even when a smaller part of it was used up. So the
    /// answer does not reveal whether somebody has verified the number.
    func published(_ refusal: RateLimited) -> RateLimited {
        let reserved = refusal.scope.part == .stranger ? quotas.numberReserved : 0
        return RateLimited(
            scope: refusal.scope.whole, limit: refusal.limit + reserved, per: refusal.window,
            retryAfter: refusal.retryAfter)
    }

    // MARK: - Guesses

    func failures(of number: PhoneNumber) -> RateLimit {
        RateLimit(
            scope: .guessNumberHour, subject: number.rawValue, limit: quotas.failuresPerNumber,
            per: Self.hour,
            prolongedTo: longestPause)
    }

    func failures(from address: ClientAddress?) -> RateLimit {
        refilling(.guessBlockHour, address?.block ?? "unknown", quotas.failuresPerBlock)
    }

    var failuresAnywhere: RateLimit {
        RateLimit(scope: .guessMinute, subject: "all", limit: quotas.failuresPerMinute, per: .seconds(60))
    }

    /// The recent pauses of a number. The limit is never used up: it only tells whether a pause is the first.
    func pauses(of number: PhoneNumber, window: Duration = Self.day) -> RateLimit {
        RateLimit(
            scope: .guessNumberPauses, subject: number.rawValue, limit: .max, per: window,
            prolongedTo: longestPause + Self.day)
    }

    /// Guesses that are checked in spite of a pause. Codes for addresses that have verified the number before have a
    /// counter of their own.
    func exceptions(for number: PhoneNumber, isTrusted: Bool) -> RateLimit {
        RateLimit(
            scope: .guessNumberExceptions.part(isTrusted ? .known : .whole), subject: number.rawValue,
            limit: 10,
            per: Self.hour)
    }

    private var longestPause: Duration { max(quotas.failuresPause, quotas.failuresLongPause) }

    private func refilling(_ scope: RateScope, _ subject: String, _ limit: Int) -> RateLimit {
        RateLimit(scope: scope, subject: subject, limit: limit, per: Self.hour, refills: true)
    }

    private static func network(_ address: ClientAddress) -> String {
        address.block(ofLength: address.isIPv4 ? 16 : 32)
    }

    /// A number as it is asked for from one network. A phone may change its address within it.
    static func subject(_ number: PhoneNumber, _ address: ClientAddress?) -> String {
        "\(number.rawValue) \(address.map(network) ?? "unknown")"
    }

    /// The subject under which an address is counted: an IPv4 address itself, and the /64 block of an IPv6 address,
    /// because its owner may pick any address of the block.
    static func subject(_ address: ClientAddress?) -> String {
        guard let address else { return "unknown" }
        return address.isIPv4 ? address.description : address.block
    }
}
