import Foundation
import Resilience

/// A lane's knowledge of its provider. It decides whether a message may be sent, and what an answer means after the answers
/// before it.
struct PushLaneState: Sendable {
    let limits: PushLane.Limits
    private var underWay = 0
    private var breaker: Breaker
    /// Whether the provider has accepted a message since the process started, which proves the credentials.
    private var hasAccepted = false
    /// The people whose devices got doubtful answers since the last accepted message, up to the number that means wrong
    /// credentials.
    private var doubted: Set<UUID> = []

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

    /// - Parameter reader: whose device has got the message.
    /// - Returns: the meaning of the answer, and whether a pause or a doubt about the credentials begins with it. When several
    ///   messages were under way, the first answer begins the pause.
    mutating func leave(
        _ answer: PushOutcome, of reader: UUID, at now: ContinuousClock.Instant
    ) -> (outcome: PushOutcome, isNew: Bool) {
        underWay -= 1
        let hadDoubt = hasDoubt
        let outcome = judged(answer, of: reader)
        let wasOpen = breaker.isOpen(at: now)
        switch outcome {
        // The message was not sent, so the outcome says nothing about the provider.
        case .postponed: break
        case .accepted, .unregistered, .doubtful, .throttled, .refused: breaker.recordSuccess()
        case .unavailable(let after, _):
            breaker.recordFailure(at: now, pause: after.map { max($0, .seconds(1)) })
        case .misconfigured where answer != outcome: breaker.recordSuccess()
        case .misconfigured: breaker.open(at: now, for: limits.pauseAfterMisconfiguration)
        }
        return (outcome, !wasOpen && breaker.isOpen(at: now) || !hadDoubt && hasDoubt)
    }

    private var hasDoubt: Bool { doubted.count >= limits.doubtful }

    /// A doubtful answer is the device's fault only while the same credentials get other messages accepted. However many there
    /// are, the lane goes on: each speaks about one device, and the next one's may be right.
    private mutating func judged(_ answer: PushOutcome, of reader: UUID) -> PushOutcome {
        switch answer {
        case .accepted:
            hasAccepted = true
            doubted = []
        case .doubtful(let reason):
            if !hasDoubt { doubted.insert(reader) }
            if hasDoubt { return .misconfigured(reason: reason) }
            if hasAccepted { return .unregistered(since: nil, reason: reason) }
        default: break
        }
        return answer
    }
}
