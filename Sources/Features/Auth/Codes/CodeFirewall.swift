import HTTPKit
import Metrics
import Postgres
import RateLimiting

/// Decides whether the service may send a code. It counts per number, address and number prefix, and over all messages.
struct CodeFirewall: Sendable {
    let store: FirewallStore
    let limits: RateLimits
    let rules: CodeRateLimits

    init(postgres: PostgresClient, limits: RateLimits, rules: CodeRateLimits) {
        store = FirewallStore(postgres: postgres)
        self.limits = limits
        self.rules = rules
    }

    /// The permission to send a code.
    struct Admission: Sendable {
        /// The id of the record in `code_sends` by which the number's prefix is judged; nil when no message goes out.
        let send: Int64?
        /// Whether the client's address has verified the number before.
        let isTrusted: Bool
    }

    /// So few codes to a prefix were entered that the prefix must be closed. Nothing was counted. The caller must roll
    /// the transaction back and call `close`.
    struct PrefixFails: Error {
        /// Its digests under all secrets in force, that of the newest first.
        let prefix: [[UInt8]]
    }

    /// Counts a code, or throws and counts nothing. Checks everything without a lock first, so that a refusal is cheap.
    ///
    /// - Parameter purpose: the purpose of the text message; nil when the code needs no message.
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
            // This locks the prefix's counter, so that transactions judge the prefix one after the other.
            try limits.check(tx, rules.ofStranger(number, from: address))
        }
        guard purpose != nil else { return Admission(send: nil, isTrusted: isTrusted) }
        let prefix = limits.digest(number.prefix)
        if !isTrusted { try requireOpen(tx, limits.digests(number.prefix)) }
        return Admission(send: try store.recordSend(tx, prefix), isTrusted: isTrusted)
    }

    /// Whether the address has verified the number before. Nothing that strangers do counts against such a pair: neither
    /// wrong codes, nor codes to the same prefix, nor other people behind the same address.
    func isTrusted(
        _ tx: PostgresTransaction, _ number: PhoneNumber, from address: ClientAddress?
    ) throws -> Bool {
        guard limits.enforced else { return false }
        return try store.isVerified(tx, number: digests(number), from: digests(address))
    }

    /// As `isTrusted` in a transaction.
    func isTrusted(_ number: PhoneNumber, from address: ClientAddress?) async throws -> Bool {
        guard limits.enforced else { return false }
        return try await store.isVerified(number: digests(number), from: digests(address))
    }

    func ofKnownPair(_ number: PhoneNumber, _ address: ClientAddress?) -> [RateLimit] {
        rules.ofNumber(number) + rules.ofKnown(number) + [rules.ofKnownAddress(address)]
    }

    private func countKnown(
        _ tx: PostgresTransaction, _ number: PhoneNumber, _ address: ClientAddress?
    ) throws {
        let pair = ofKnownPair(number, address)
        if let refusal = knownRefusal(try limits.requireLocked(tx, pair), number) { throw refusal }
        try limits.count(tx, pair)
    }

    /// The refusal of a code for a known pair. The limits of an hour and of a day refuse only when the part that they
    /// keep for known pairs is used up too.
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

    /// Closes a prefix. Call it after the transaction of `admit` was rolled back.
    func close(_ failing: PrefixFails) async throws -> RateLimited {
        let pause = rules.quotas.prefixPause
        try await store.close(failing.prefix, for: pause)
        return closed(for: pause)
    }

    /// Records that a client has entered the right code.
    func recordVerified(
        _ tx: PostgresTransaction, _ verification: Verification, from address: ClientAddress?
    ) throws {
        if let send = verification.send { try store.recordVerified(tx, send) }
        try store.recordVerified(
            tx, number: limits.digest(verification.phoneNumber.rawValue),
            from: limits.digest(CodeRateLimits.subject(address)))
        // The code was not part of an attack, so it does not count against others behind the same address.
        try limits.giveBack(
            tx, verification.isTrusted ? [rules.ofKnownAddress(address)] : rules.ofAddress(address))
    }

    /// Whether so few of a prefix's codes were entered that the prefix must be closed.
    func fails(_ state: PrefixState) -> Bool {
        state.sends >= rules.quotas.prefixSample
            && state.verified * 100 < state.sends * rules.quotas.prefixVerifiedPercent
    }

    private func requireOpen(_ tx: PostgresTransaction, _ prefix: [[UInt8]]) throws {
        let state = try store.prefixState(tx, prefix, sample: rules.quotas.prefixSample)
        if let wait = state.closedFor { throw closed(for: wait) }
        if fails(state) { throw PrefixFails(prefix: prefix) }
    }

    private func closed(for wait: Duration) -> RateLimited {
        RateLimited(scope: .codePrefixClosed, limit: 0, per: rules.quotas.prefixPause, retryAfter: wait)
    }

    private func digests(_ number: PhoneNumber) -> [[UInt8]] { limits.digests(number.rawValue) }

    private func digests(_ address: ClientAddress?) -> [[UInt8]] {
        limits.digests(CodeRateLimits.subject(address))
    }

    /// Counts the outcome of a request for a code in the metrics.
    ///
    /// - Parameter decision: `sent`, or the scope that refused it.
    static func count(_ decision: String) {
        Counter(label: "dayly_otp_requests_total", dimensions: [("decision", decision)]).increment()
    }
}
