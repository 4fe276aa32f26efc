import Foundation
import HTTPKit
import Metrics
import Postgres
import RateLimiting

/// Decides whether the service may send a code. It counts per number, address and number prefix, and over all messages.
struct CodeFirewall: Sendable {
    let store: FirewallStore
    let limits: RateLimits
    let rules: CodeRateLimits
    let price: WorkPrice

    init(postgres: PostgresClient, limits: RateLimits, rules: CodeRateLimits, price: WorkPrice) {
        store = FirewallStore(postgres: postgres)
        self.limits = limits
        self.rules = rules
        self.price = price
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

    /// A refusal that work lifts. Nothing was counted.
    struct WorkNeeded: Error {
        let refusal: RateLimited
        let doublings: Int
        let at: Date
    }

    /// Counts a code, or throws and counts nothing. Checks everything without a lock first, so that a refusal is cheap.
    ///
    /// - Parameters:
    ///   - purpose: the purpose of the text message; nil when the code needs no message.
    ///   - proven: the work that the client has done.
    /// - Throws: `RateLimited`, `PrefixFails`, `WorkNeeded`.
    func admit(
        _ tx: PostgresTransaction, _ number: PhoneNumber, from address: ClientAddress?, isTrusted: Bool,
        for purpose: MessagePurpose?, proven: ProvenWork? = nil
    ) throws -> Admission {
        guard limits.enforced else { return Admission(send: nil, isTrusted: isTrusted) }
        let refusal = try countedRefusal(tx, number, from: address, isTrusted: isTrusted)
        // An owner whose share is used up, too, is as good as a stranger.
        let isTrusted = isTrusted && refusal == nil
        if let refusal, try limits.exceeded(tx, rules.ofWorker(number, from: address)) != nil {
            throw refusal
        }
        let needed = try workNeeded(tx, number, after: refusal, isTrusted: isTrusted, for: purpose)
        let payment = try needed.map { try requirePayment(tx, proven, for: $0) }
        if isTrusted {
            try countKnown(tx, number, address)
        } else {
            // This locks the prefix's counter, so that transactions judge the prefix one after the other.
            let sending =
                refusal == nil
                ? rules.ofStranger(number, from: address) : rules.ofWorker(number, from: address)
            try limits.check(tx, sending + (payment.map { [$0] } ?? []))
        }
        guard purpose != nil else { return Admission(send: nil, isTrusted: isTrusted) }
        let prefix = limits.digest(number.prefix)
        if !isTrusted { try requireOpen(tx, limits.digests(number.prefix)) }
        return Admission(send: try store.recordSend(tx, prefix), isTrusted: isTrusted)
    }

    /// The refusal by what is counted for number and address, without a lock.
    private func countedRefusal(
        _ tx: PostgresTransaction, _ number: PhoneNumber, from address: ClientAddress?, isTrusted: Bool
    ) throws -> RateLimited? {
        guard !isTrusted else {
            return knownRefusal(try limits.states(tx, of: ofKnownPair(number, address)), number)
        }
        return try limits.exceeded(
            tx, rules.ofStranger(number, from: address) + [rules.failures(of: number)])
    }

    /// The work that a code costs; nil when it costs none.
    ///
    /// - Parameter refusal: what refuses a code without work.
    /// - Throws: `RateLimited`, `PrefixFails`, where work does not help.
    private func workNeeded(
        _ tx: PostgresTransaction, _ number: PhoneNumber, after refusal: RateLimited?, isTrusted: Bool,
        for purpose: MessagePurpose?
    ) throws -> WorkNeeded? {
        var (reason, doublings) = (refusal, 0)
        // Each code that work has got for a number doubles the price of the next one.
        if refusal != nil { doublings = try limits.states(tx, of: [rules.ofWork(number)]).first?.used ?? 0 }
        if let purpose {
            let use = try limits.messages.use(tx, for: purpose)
            if let full = try limits.messages.exceeded(tx, for: purpose, given: use) { throw full }
            if !isTrusted, let near = price.doublings(atUse: use.share) {
                doublings = max(doublings, near)
                reason =
                    try reason ?? limits.messages.exceeded(tx, for: purpose, given: use, beyond: price.free)
            }
        }
        guard let reason else { return nil }
        if purpose != nil { try requireOpen(tx, limits.digests(number.prefix)) }
        return WorkNeeded(
            refusal: reason, doublings: min(doublings, price.maxDoublings), at: try tx.now())
    }

    /// The limit that the work is spent on. The price may have doubled while the client worked.
    ///
    /// - Throws: `WorkNeeded` where the client sent no proof, or one that is too small, too old or used already.
    private func requirePayment(
        _ tx: PostgresTransaction, _ work: ProvenWork?, for needed: WorkNeeded
    ) throws -> RateLimit {
        guard let work, work.bits + 1 >= price.bits + needed.doublings,
            abs(needed.at.timeIntervalSince(work.askedAt)) <= price.lifetime / .seconds(1)
        else { throw needed }
        let limit = rules.ofProof(work, lifetime: price.lifetime * 2)
        guard try limits.exceeded(tx, [limit]) == nil else { throw needed }
        return limit
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
