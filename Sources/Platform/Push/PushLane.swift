import Logging
import Metrics
import Synchronization

/// Limits the messages to one provider: a bounded number at a time, and none during a pause after repeated failures. A
/// message that finds no place is postponed at once, so that a provider that hangs does not delay another one.
package struct PushLane: PushGateway {
    package struct Limits: Sendable {
        /// The number of messages under way at a time.
        package var maxConcurrent = 32
        /// The number of failures in a row after which the lane sends nothing for `pause`, or for as long as the provider
        /// asks.
        package var failures = 5
        package var pause: Duration = .seconds(30)
        /// The number of people whose devices get doubtful answers, without an accepted message between them, that means wrong
        /// credentials.
        package var doubtful = 10
        /// The pause after an answer that means wrong credentials.
        package var pauseAfterMisconfiguration: Duration = .seconds(60)

        package init() {}
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
        state = Shared(PushLaneState(limits: limits))
    }

    package var openPlaces: Int { state.value.withLock { $0.openPlaces(at: .now) } }

    package func send(_ message: PushMessage, to token: DeviceToken) async -> PushOutcome {
        if let wait = state.value.withLock({ $0.enter(at: .now) }) {
            count("postponed")
            return .postponed(after: wait)
        }
        let started = ContinuousClock.now
        let answer = await gateway.send(message, to: token)
        let reader = message.reader ?? message.id
        let (outcome, isNew) = state.value.withLock { $0.leave(answer, of: reader, at: .now) }
        if isNew { report(outcome) }
        count(outcome.label)
        Timer(
            label: "dayly_push_seconds", dimensions: [("provider", name), ("outcome", outcome.label)]
        )
        .recordSeconds((ContinuousClock.now - started) / .seconds(1))
        return outcome
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
        Counter(label: "dayly_push_total", dimensions: [("provider", name), ("outcome", outcome)])
            .increment()
    }

    private final class Shared: Sendable {
        let value: Mutex<PushLaneState>

        init(_ state: PushLaneState) {
            value = Mutex(state)
        }
    }
}

extension PushOutcome {
    /// In the metrics.
    package var label: String {
        switch self {
        case .accepted: "accepted"
        case .unregistered: "unregistered"
        case .doubtful: "doubtful"
        case .throttled: "throttled"
        case .unavailable: "unavailable"
        case .postponed: "postponed"
        case .refused: "refused"
        case .misconfigured: "misconfigured"
        }
    }
}
