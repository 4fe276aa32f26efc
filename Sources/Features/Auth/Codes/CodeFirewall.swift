import HTTPKit
import Metrics
import Postgres
import RateLimiting

/// Decides whether a code may be sent: per number, address and number prefix, and in all.
struct CodeFirewall: Sendable {
    let postgres: PostgresClient
    let limits: RateLimits
    let rules: CodeRateLimits

    /// A code that may be sent.
    struct Admission: Sendable {
        /// Of the record by which its prefix is judged.
        let send: Int64?
        /// Whether it was asked for from an address that verified the number before.
        let isTrusted: Bool
    }

    /// So few codes to a prefix came to use that it has to be closed. Nothing was counted; `close` is to follow.
    struct PrefixFails: Error {
        let prefix: [UInt8]
    }

    /// Counts a code, or throws and counts nothing. Looks at everything without a lock first, so that a refusal is cheap.
    ///
    /// - Parameter purpose: of its text message, by which its prefix is judged; nil where none goes out.
    /// - Throws: `RateLimited`, `PrefixFails`.
    func admit(
        _ tx: PostgresTransaction, _ number: PhoneNumber, from address: ClientAddress?, isTrusted: Bool,
        for purpose: MessagePurpose?
    ) throws -> Admission {
        guard limits.enforced else { return Admission(send: nil, isTrusted: isTrusted) }
        if isTrusted {
            if let refusal = knownRefusal(try limits.states(tx, of: ofKnownPair(number, address)), number) {
                throw refusal
            }
        } else {
            let sending = rules.ofStranger(number, from: address)
            if let refusal = try limits.exceeded(tx, sending + [rules.failures(of: number)]) { throw refusal }
        }
        if let purpose, let refusal = try limits.messages.exceeded(tx, for: purpose) { throw refusal }
        if isTrusted {
            try countKnown(tx, number, address)
        } else {
            // The prefix's counter is locked from here on, so that its codes are judged one after the other.
            try limits.check(tx, rules.ofStranger(number, from: address))
        }
        guard purpose != nil else { return Admission(send: nil, isTrusted: isTrusted) }
        let prefix = limits.digest(number.prefix)
        if !isTrusted { try requireOpen(tx, limits.digests(number.prefix)) }
        return Admission(send: try FirewallStore.noteSend(tx, prefix), isTrusted: isTrusted)
    }

    /// Whether the address verified the number before. Of such a pair nothing that strangers do counts against the owner:
    /// neither wrong codes nor prefixes nor other people behind the same address.
    func isTrusted(
        _ tx: PostgresTransaction, _ number: PhoneNumber, from address: ClientAddress?
    ) throws -> Bool {
        guard limits.enforced else { return false }
        return try tx.first(known(number, address)) != nil
    }

    func ofKnownPair(_ number: PhoneNumber, _ address: ClientAddress?) -> [RateLimit] {
        rules.ofNumber(number) + rules.ofKnown(number) + [rules.ofKnownAddress(address)]
    }

    private func countKnown(
        _ tx: PostgresTransaction, _ number: PhoneNumber, _ address: ClientAddress?
    ) throws {
        let pair = ofKnownPair(number, address)
        if let refusal = knownRefusal(try limits.hold(tx, pair), number) { throw refusal }
        try limits.count(tx, pair)
    }

    /// An hour's or a day's limit refuses only when the part of it that is kept for known pairs is used up, too.
    func knownRefusal(_ states: [RateState], _ number: PhoneNumber) -> RateLimited? {
        let whole = Array(rules.ofNumber(number).dropFirst())
        let kept = rules.ofKnown(number)
        let usedUp = states.filter(\.isUsedUp)
        let refusing = usedUp.filter { state in
            if kept.contains(state.limit) { return false }
            guard let index = whole.firstIndex(of: state.limit) else { return true }
            return usedUp.contains { $0.limit == kept[index] }
        }
        return refusing.map { RateLimited($0.limit, retryAfter: $0.wait) }.max {
            $0.retryAfter < $1.retryAfter
        }
    }

    /// To be called when the transaction of `admit` was undone.
    func close(_ failing: PrefixFails) async throws -> RateLimited {
        let pause = rules.limits.prefixPause
        try await FirewallStore.close(postgres, failing.prefix, for: pause)
        return closed(for: pause)
    }

    func known(_ number: PhoneNumber, _ address: ClientAddress?) -> SQL {
        FirewallStore.isVerified(
            number: limits.digests(number.rawValue), from: limits.digests(CodeRateLimits.subject(address)))
    }

    func noteVerified(
        _ tx: PostgresTransaction, _ verification: Verification, from address: ClientAddress?
    ) throws {
        if let send = verification.send { try FirewallStore.noteVerified(tx, send) }
        try FirewallStore.noteVerified(
            tx, number: limits.digest(verification.phoneNumber.rawValue),
            from: limits.digest(CodeRateLimits.subject(address)))
        // A code that comes to use was no attack, so it leaves the room of its address to the neighbours.
        try limits.giveBack(
            tx, verification.isTrusted ? [rules.ofKnownAddress(address)] : rules.ofAddress(address))
    }

    /// Whether so few of a prefix's codes came to use that it is to be closed.
    func fails(_ state: PrefixState) -> Bool {
        state.sends >= rules.limits.prefixSample
            && state.verified * 100 < state.sends * rules.limits.prefixVerifiedPercent
    }

    private func requireOpen(_ tx: PostgresTransaction, _ prefix: [[UInt8]]) throws {
        let row = try tx.first(FirewallStore.prefixState(prefix, sample: rules.limits.prefixSample))
        guard let state = try row.map(PrefixState.init) else { throw AuthError.overloaded }
        if let wait = state.closedFor { throw closed(for: wait) }
        if fails(state) { throw PrefixFails(prefix: prefix[0]) }
    }

    private func closed(for wait: Duration) -> RateLimited {
        RateLimited(scope: "code.prefix.closed", limit: 0, per: rules.limits.prefixPause, retryAfter: wait)
    }

    /// What became of a request for a code: `sent`, or what barred it.
    static func count(_ decision: String) {
        Counter(label: "dayly_otp_requests_total", dimensions: [("decision", decision)]).increment()
    }
}
