import HTTPKit
import Metrics
import Postgres
import RateLimiting

/// Decides whether a code may be sent: per number, address and number prefix, and in all.
struct CodeFirewall: Sendable {
    let postgres: PostgresClient
    let limits: RateLimits
    let rules: AuthLimits

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

    /// Counts a code, or throws and counts nothing. What looks at everything without a lock comes first, so that a
    /// refusal is cheap.
    ///
    /// - Parameter isSent: whether a text message goes out, which its prefix is judged by.
    /// - Throws: `RateLimited`, `PrefixFails`.
    func admit(
        _ tx: PostgresTransaction, _ number: PhoneNumber, from address: ClientAddress?, isSent: Bool
    ) throws -> Admission {
        guard limits.enforced else { return Admission(send: nil, isTrusted: false) }
        let isTrusted = try tx.first(known(number, address)) != nil
        let sending = rules.sending(to: number, from: address, isTrusted: isTrusted)
        if let refusal = try limits.exceeded(tx, sending + [rules.failures(of: number)]) { throw refusal }
        guard isSent else {
            try limits.check(tx, sending)
            return Admission(send: nil, isTrusted: isTrusted)
        }
        if let refusal = try limits.messages.exceeded(tx) { throw refusal }
        // The prefix's counter is locked from here on, so that its codes are judged one after the other.
        try limits.check(tx, sending)
        let prefix = limits.digest(number.prefix)
        try requireOpen(tx, prefix)
        return Admission(send: try FirewallStore.noteSend(tx, prefix), isTrusted: isTrusted)
    }

    /// To be called when the transaction of `admit` was undone.
    func close(_ failing: PrefixFails) async throws -> RateLimited {
        let pause = rules.limits.prefixPause
        try await FirewallStore.close(postgres, failing.prefix, for: pause)
        return closed(for: pause)
    }

    func known(_ number: PhoneNumber, _ address: ClientAddress?) -> SQL {
        FirewallStore.isVerified(
            number: limits.digest(number.rawValue), from: limits.digest(AuthLimits.subject(address)))
    }

    func noteVerified(
        _ tx: PostgresTransaction, _ verification: Verification, from address: ClientAddress?
    ) throws {
        if let send = verification.send { try FirewallStore.noteVerified(tx, send) }
        try FirewallStore.noteVerified(
            tx, number: limits.digest(verification.phoneNumber.rawValue),
            from: limits.digest(AuthLimits.subject(address)))
    }

    /// Whether so few of a prefix's codes came to use that it is to be closed.
    func fails(_ state: PrefixState) -> Bool {
        state.sends >= rules.limits.prefixSample
            && state.verified * 100 < state.sends * rules.limits.prefixVerifiedPercent
    }

    private func requireOpen(_ tx: PostgresTransaction, _ prefix: [UInt8]) throws {
        let row = try tx.first(FirewallStore.prefixState(prefix, sample: rules.limits.prefixSample))
        guard let state = try row.map(PrefixState.init) else { throw AuthError.overloaded }
        if let wait = state.closedFor { throw closed(for: wait) }
        if fails(state) { throw PrefixFails(prefix: prefix) }
    }

    private func closed(for wait: Duration) -> RateLimited {
        RateLimited(scope: "code.prefix.closed", limit: 0, per: rules.limits.prefixPause, retryAfter: wait)
    }

    /// What became of a request for a code: `sent`, or what barred it.
    static func count(_ decision: String) {
        Counter(label: "dayly_otp_requests_total", dimensions: [("decision", decision)]).increment()
    }
}
