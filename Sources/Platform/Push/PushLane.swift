import Logging
import Metrics
import Synchronization

/// One provider's share of the work: so many messages at a time, and none for a while after it failed again and again.
/// Whoever finds no place is told at once, so that a provider that hangs keeps nobody from another one.
package struct PushLane: PushGateway {
    package struct Limits: Sendable {
        /// Messages under way at a time.
        package var maxConcurrent = 32
        /// After so many failures in a row it is left alone for `rest`, or for as long as it asks.
        package var failures = 5
        package var rest: Duration = .seconds(30)
        /// After wrong credentials.
        package var restAfterMisconfiguration: Duration = .seconds(60)

        package init() {}
    }

    private struct State {
        var underWay = 0
        var failures = 0
        var restsUntil: ContinuousClock.Instant?
    }

    private enum Admission {
        case admitted
        case turnedAway(Duration)
    }

    package var name: String { gateway.name }
    private let gateway: any PushGateway
    private let limits: Limits
    private let logger: Logger
    private let state: Shared

    package init(_ gateway: any PushGateway, limits: Limits = Limits(), logger: Logger) {
        self.gateway = gateway
        self.limits = limits
        self.logger = logger
        state = Shared()
    }

    package func send(_ message: PushMessage, to token: DeviceToken) async -> PushOutcome {
        if case .turnedAway(let wait) = admit() {
            count("postponed")
            return .postponed(after: wait)
        }
        let started = ContinuousClock.now
        let outcome = await gateway.send(message, to: token)
        leave(outcome)
        count(outcome.label)
        Timer(label: "dayly_push_seconds", dimensions: [("provider", name), ("outcome", outcome.label)])
            .recordSeconds((ContinuousClock.now - started) / .seconds(1))
        return outcome
    }

    private func admit() -> Admission {
        state.value.withLock { state in
            let now = ContinuousClock.now
            if let until = state.restsUntil, now < until { return .turnedAway(until - now) }
            // After a rest one goes ahead, to see whether it is over.
            let room = state.failures >= limits.failures ? 1 : limits.maxConcurrent
            guard state.underWay < room else { return .turnedAway(.seconds(1)) }
            state.underWay += 1
            return .admitted
        }
    }

    private func leave(_ outcome: PushOutcome) {
        let isNews = state.value.withLock { state -> Bool in
            state.underWay -= 1
            let rested = state.restsUntil
            switch outcome {
            case .accepted, .unregistered, .throttled, .refused, .postponed:
                state.failures = 0
                state.restsUntil = nil
                return false
            case .unavailable(let after, _):
                state.failures += 1
                guard state.failures >= limits.failures || after != nil else { return false }
                state.restsUntil = .now + max(after ?? limits.rest, .seconds(1))
            case .misconfigured:
                state.failures = max(state.failures, limits.failures)
                state.restsUntil = .now + limits.restAfterMisconfiguration
            }
            // Of several that were under way the first one tells.
            return rested.map { $0 <= .now } ?? true
        }
        if isNews { report(outcome) }
    }

    private func report(_ outcome: PushOutcome) {
        switch outcome {
        case .misconfigured(let reason):
            logger.error(
                "push messages do not go out: the provider refuses us; `dayly doctor` looks closer",
                metadata: ["provider": "\(name)", "reason": "\(reason)"])
        case .unavailable(_, let reason):
            logger.warning(
                "a push provider is left alone for a while",
                metadata: ["provider": "\(name)", "reason": "\(reason)"])
        default: break
        }
    }

    private func count(_ outcome: String) {
        Counter(label: "dayly_push_total", dimensions: [("provider", name), ("outcome", outcome)]).increment()
    }

    private final class Shared: Sendable {
        let value = Mutex(State())
    }
}

extension PushOutcome {
    /// In the metrics.
    package var label: String {
        switch self {
        case .accepted: "accepted"
        case .unregistered: "unregistered"
        case .throttled: "throttled"
        case .unavailable: "unavailable"
        case .postponed: "postponed"
        case .refused: "refused"
        case .misconfigured: "misconfigured"
        }
    }
}
