import HTTPKit
import Postgres
import RateLimiting

/// What is known about a verification before it is judged.
struct GuessTarget: Sendable {
    let number: PhoneNumber
    let attempts: Int
    let isTrusted: Bool
}

/// Decides whether a guess is checked. Failures count per number over all its codes, per address block, and in all; a
/// new code resets none of them.
///
/// A stranger's guesses at a number do not shut out its owner. During a pause, a code that was under way is checked once.
/// A code for an address that verified the number before is checked as often as it has attempts, up to ten guesses in
/// an hour, whatever strangers guessed; it does not depend on the block or the rest of the world either.
struct GuessGuard: Sendable {
    let limits: RateLimits
    let rules: CodeRateLimits

    /// Whether a guess is refused, by one statement without a lock: a flood of guesses costs no more.
    func refusal(of target: GuessTarget, from address: ClientAddress?) async throws -> RateLimited? {
        let number = rules.failures(of: target.number)
        let exceptions = rules.exceptions(for: target.number, isTrusted: target.isTrusted)
        let elsewhere = [rules.failures(from: address), rules.failuresAnywhere]
        let states = try await limits.states(of: [number, exceptions] + elsewhere).filter(\.isUsedUp)
        let isPaused = states.contains { $0.limit == number }
        let refusing = states.filter { state in
            switch state.limit {
            case number: !isExcepted(target)
            case exceptions: isPaused
            default: !target.isTrusted
            }
        }
        return refusing.map(Self.refusal).max { $0.retryAfter < $1.retryAfter }
    }

    /// Whether a guess is refused, this time under lock: of guesses at once at one number each sees what the other has
    /// counted. (Failures in all are compared without: they may be exceeded by what is under way at that moment.)
    func hear(
        _ tx: PostgresTransaction, _ target: GuessTarget, from address: ClientAddress?
    ) throws -> RateLimited? {
        let number = rules.failures(of: target.number)
        for state in try limits.hold(tx, [number, rules.failures(from: address)]) where state.isUsedUp {
            if state.limit == number {
                guard isExcepted(target) else { return Self.refusal(state) }
                let exceptions = rules.exceptions(for: target.number, isTrusted: target.isTrusted)
                if let refusal = try limits.take(tx, [exceptions]) { return refusal }
            } else if !target.isTrusted {
                return Self.refusal(state)
            }
        }
        return nil
    }

    /// Counts a wrong guess that was heard; the last one that a number has begins a pause.
    func countFailure(
        _ tx: PostgresTransaction, _ target: GuessTarget, from address: ClientAddress?
    ) throws {
        let number = rules.failures(of: target.number)
        let before = try limits.hold(tx, [number]).first
        try limits.count(tx, [number, rules.failures(from: address)])
        try limits.count(tx, [rules.failuresAnywhere])
        guard let before, !before.isUsedUp, before.used + 1 >= before.limit.limit else { return }
        try beginPause(tx, target.number)
    }

    private func beginPause(_ tx: PostgresTransaction, _ number: PhoneNumber) throws {
        let isFirst = try limits.hold(tx, [rules.pauses(of: number)]).first?.used == 0
        let pause = isFirst ? rules.limits.failuresPause : rules.limits.failuresLongPause
        let failures = rules.failures(of: number)
        try limits.prolong(
            tx,
            [RateLimit(scope: failures.scope, subject: failures.subject, limit: failures.limit, per: pause)])
        // It is remembered for a day beyond its end.
        let remembered = rules.pauses(of: number, window: pause + .seconds(86_400))
        try limits.count(tx, [remembered])
        try limits.prolong(tx, [remembered])
    }

    private func isExcepted(_ target: GuessTarget) -> Bool {
        target.attempts == 0 || target.isTrusted
    }

    private static func refusal(_ state: RateState) -> RateLimited {
        RateLimited(state.limit, retryAfter: state.wait)
    }
}
