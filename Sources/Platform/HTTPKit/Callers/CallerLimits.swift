import Foundation
import Metrics
import Resilience
import Synchronization

/// Keeps one user from taking the resources that all users share: the places of requests and the database connections.
///
/// Call `enter` after the token's signature is checked and before the database is asked. The limits are this process's own and
/// are kept in memory only.
package final class CallerLimits: Sendable {
    package struct Settings: Sendable {
        /// Requests of one user that run at a time. This is enough for a client that loads several feeds at once.
        package var maxRunning = 4
        /// Requests of one user that wait for such a place. Each of them holds one of the places that all users share.
        package var maxWaiting = 28
        /// The same for uploads, which have a lane of their own.
        package var maxWaitingUploads = 60
        /// How long a request waits before it is refused.
        package var patience: Duration = .seconds(5)
        package var writesPerSecond = 10.0
        /// Writes that a user may make at once after a pause.
        package var writeBurst = 60.0
        /// Whether writes are counted (`limits.enforce_rates`).
        package var countsWrites = true
        /// With more users than this at a time, the limits do not apply to the users beyond.
        package var maxCallers = 100_000

        package init() {}
    }

    package enum Kind: Sendable {
        case call, upload
    }

    private struct State {
        var table: CallerTable
        var nextRequest: UInt64 = 0
        var turns: [UInt64: Turn] = [:]
    }

    private let settings: Settings
    private let state: Mutex<State>
    private let tooManyRequests = Counter(
        label: "dayly_http_caller_refused_total", dimensions: [("limit", "requests")])
    private let tooManyWrites = Counter(
        label: "dayly_http_caller_refused_total", dimensions: [("limit", "writes")])

    package init(settings: Settings = Settings()) {
        self.settings = settings
        state = Mutex(State(table: CallerTable(settings: settings)))
        tooManyRequests.increment(by: 0)
        tooManyWrites.increment(by: 0)
    }

    /// Requests of the user that hold a place now.
    package func running(of user: UUID) -> Int { state.withLock { $0.table.running(of: user) } }

    /// Waits for one of the user's places.
    ///
    /// - Throws: 429 `rate_limited` if too many requests wait, if the wait takes longer than `patience`, or if the user
    ///   has no write left.
    package func enter(_ user: UUID, isWrite: Bool, as kind: Kind = .call) async throws(Problem) -> Pass {
        let maxWaiting = kind == .upload ? settings.maxWaitingUploads : settings.maxWaiting
        let (request, entry, turn) = state.withLock { state in
            state.nextRequest += 1
            let entry = state.table.enter(
                state.nextRequest, of: user, isWrite: isWrite, maxWaiting: maxWaiting, now: .now)
            if entry == .waits { state.turns[state.nextRequest] = Turn() }
            return (state.nextRequest, entry, state.turns[state.nextRequest])
        }
        switch entry {
        case .runs: return Pass(user, self)
        case .uncounted: return Pass(user, nil)
        case .tooManyWrites(let freeIn): throw refusal(freeIn: freeIn)
        case .waits where await turn?.wait(until: .now + settings.patience) == true: return Pass(user, self)
        case .waits:
            state.withLock { state in
                state.table.giveUp(request, of: user)
                state.turns[request] = nil
            }
            throw tooMany()
        case .tooManyRequests: throw tooMany()
        }
    }

    private func tooMany() -> Problem {
        tooManyRequests.increment()
        return .rateLimited(retryAfter: .seconds(1))
    }

    private func refusal(freeIn: Duration) -> Problem {
        tooManyWrites.increment()
        return .rateLimited(
            RateLimitFields(
                policy: "writes", quota: Int(settings.writeBurst),
                window: .seconds(settings.writeBurst / settings.writesPerSecond), remaining: 0, reset: freeIn)
        )
    }

    private func leave(_ user: UUID) {
        state.withLock { state in
            while let next = state.table.leave(user) {
                if state.turns.removeValue(forKey: next)?.grant() == true { return }
            }
        }
    }

    /// One of a user's places. It is given back when it is released or when its last reference goes away.
    package final class Pass: Sendable {
        private let user: UUID
        private let limits: Mutex<CallerLimits?>

        fileprivate init(_ user: UUID, _ limits: CallerLimits?) {
            self.user = user
            self.limits = Mutex(limits)
        }

        package func release() {
            limits.withLock { $0.take() }?.leave(user)
        }

        deinit {
            release()
        }
    }
}
