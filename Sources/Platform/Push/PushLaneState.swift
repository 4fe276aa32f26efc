import Resilience

/// A lane's knowledge of its provider. It decides whether a message may be sent, and what an answer means after the answers
/// before it.
struct PushLaneState: Sendable {
    let limits: PushLane.Limits
    private var underWay = 0
    private var breaker: Breaker
    /// Whether the provider has accepted a message since the process started, which proves the credentials.
    private var hasAccepted = false
    /// The number of doubtful answers since the last accepted message.
    private var doubtfulInRow = 0

    init(limits: PushLane.Limits) {
        self.limits = limits
        breaker = Breaker(maxFailures: limits.failures, pause: limits.pause)
    }

    /// The number of messages that may be under way: after a pause only one, to see whether the fault is over.
    func openPlaces(at now: ContinuousClock.Instant) -> Int {
        switch breaker.state(at: now) {
        case .closed: limits.maxConcurrent
        case .halfOpen: 1
        case .open: 0
        }
    }

    /// - Returns: nil for a message that may be sent; otherwise the time after which it may try again.
    mutating func enter(at now: ContinuousClock.Instant) -> Duration? {
        if case .open(let remaining) = breaker.state(at: now) { return remaining }
        guard underWay < openPlaces(at: now) else { return .seconds(1) }
        underWay += 1
        return nil
    }

    /// - Returns: the meaning of the answer, and whether a pause begins with it. When several messages were under way,
    ///   the first answer begins the pause.
    mutating func leave(
        _ answer: PushOutcome, at now: ContinuousClock.Instant
    ) -> (outcome: PushOutcome, isNew: Bool) {
        underWay -= 1
        let outcome = judged(answer)
        let wasOpen = breaker.isOpen(at: now)
        switch outcome {
        // The message was not sent, so the outcome says nothing about the provider.
        case .postponed: break
        case .accepted, .unregistered, .doubtful, .throttled, .refused: breaker.recordSuccess()
        case .unavailable(let after, _):
            breaker.recordFailure(at: now, pause: after.map { max($0, .seconds(1)) })
        case .misconfigured: breaker.open(at: now, for: limits.pauseAfterMisconfiguration)
        }
        return (outcome, !wasOpen && breaker.isOpen(at: now))
    }

    /// A doubtful answer is the device's fault only while the same credentials get other messages accepted.
    private mutating func judged(_ answer: PushOutcome) -> PushOutcome {
        switch answer {
        case .accepted:
            hasAccepted = true
            doubtfulInRow = 0
        case .doubtful(let reason):
            doubtfulInRow += 1
            if doubtfulInRow >= limits.doubtful { return .misconfigured(reason: reason) }
            if hasAccepted { return .unregistered(since: nil, reason: reason) }
        default: break
        }
        return answer
    }
}
