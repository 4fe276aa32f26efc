import HTTPKit
import Postgres
import RateLimiting

/// The verification that a guess is for.
struct GuessTarget: Sendable {
    let number: PhoneNumber
    let attempts: Int
    let isTrusted: Bool
}

/// Decides whether the service checks a guess. It counts wrong guesses per number over all its codes, per address block,
/// and over all numbers. A new code resets none of these counts.
///
/// A stranger's guesses at a number do not shut out its owner. During a pause, a code that nobody has guessed at yet is
/// checked once. A code for an address that has verified the number before is checked as often as it has attempts, up to
/// ten guesses an hour. Guesses by strangers, from the same block or from anywhere, do not affect it.
struct GuessGuard: Sendable {
    let limits: RateLimits
    let rules: CodeRateLimits

    /// The refusal of a guess, by one statement without a lock, so that a flood of guesses is cheap to refuse.
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

    /// The refusal of a guess, under lock: of two guesses at one number at the same time, the second sees the count of
    /// the first. The limit over all numbers is not checked here. Guesses that run at the same time may exceed it.
    func refusal(
        _ tx: PostgresTransaction, of target: GuessTarget, from address: ClientAddress?
    ) throws -> RateLimited? {
        let number = rules.failures(of: target.number)
        for state in try limits.requireLocked(tx, [number, rules.failures(from: address)])
        where state.isUsedUp {
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

    /// Counts a wrong guess. The last guess that a number's limit allows begins a pause.
    func countFailure(
        _ tx: PostgresTransaction, _ target: GuessTarget, from address: ClientAddress?
    ) throws {
        let number = rules.failures(of: target.number)
        let before = try limits.requireLocked(tx, [number]).first
        try limits.count(tx, [number, rules.failures(from: address)])
        try limits.count(tx, [rules.failuresAnywhere])
        guard let before, !before.isUsedUp, before.used + 1 >= before.limit.limit else { return }
        try beginPause(tx, target.number)
    }

    private func beginPause(_ tx: PostgresTransaction, _ number: PhoneNumber) throws {
        let isFirst = try limits.requireLocked(tx, [rules.pauses(of: number)]).first?.used == 0
        let pause = isFirst ? rules.quotas.failuresPause : rules.quotas.failuresLongPause
        let failures = rules.failures(of: number)
        try limits.prolong(
            tx,
            [RateLimit(scope: failures.scope, subject: failures.subject, limit: failures.limit, per: pause)])
        // Remember the pause for a day after its end.
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
