/// A lane's knowledge of its provider. It decides whether a message may be sent, and what an answer means after the answers
/// before it.
struct PushLaneState: Sendable {
    let limits: PushLane.Limits
    private var underWay = 0
    private var failures = 0
    private var restsUntil: ContinuousClock.Instant?
    /// Whether the provider has accepted a message since the process started, which proves the credentials.
    private var hasAccepted = false
    /// The number of doubtful answers since the last accepted message.
    private var doubtfulInRow = 0

    init(limits: PushLane.Limits) {
        self.limits = limits
    }

    /// How many messages may be under way. After a rest one goes ahead, to see whether the fault is over.
    func openPlaces(at now: ContinuousClock.Instant) -> Int {
        if let restsUntil, now < restsUntil { return 0 }
        return failures >= limits.failures ? 1 : limits.maxConcurrent
    }

    /// - Returns: nil for a message that may be sent; otherwise the time after which it may try again.
    mutating func enter(at now: ContinuousClock.Instant) -> Duration? {
        if let restsUntil, now < restsUntil { return restsUntil - now }
        guard underWay < openPlaces(at: now) else { return .seconds(1) }
        underWay += 1
        return nil
    }

    /// - Returns: the meaning of the answer, and whether a pause begins with it. Among several messages under way the
    ///   first begins it.
    mutating func leave(
        _ answer: PushOutcome, at now: ContinuousClock.Instant
    ) -> (outcome: PushOutcome, isNew: Bool) {
        underWay -= 1
        let outcome = judged(answer)
        let rested = restsUntil
        switch outcome {
        // The message was not sent, so the outcome says nothing about the provider.
        case .postponed: return (outcome, false)
        case .accepted, .unregistered, .doubtful, .throttled, .refused:
            failures = 0
            restsUntil = nil
            return (outcome, false)
        case .unavailable(let after, _):
            failures += 1
            guard failures >= limits.failures || after != nil else { return (outcome, false) }
            restsUntil = now + max(after ?? limits.rest, .seconds(1))
        case .misconfigured:
            failures = max(failures, limits.failures)
            restsUntil = now + limits.restAfterMisconfiguration
        }
        return (outcome, rested.map { $0 <= now } ?? true)
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
