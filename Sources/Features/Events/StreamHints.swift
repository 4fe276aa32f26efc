import FeatureKit

/// The hints of one stream: those that are to be written, and for each topic with an interval the time of the last one. A
/// client that reads slowly costs no memory, because equal hints that are not written yet are one.
struct StreamHints: Sendable {
    private struct Pause {
        let until: ContinuousClock.Instant
        /// The last hint that came during the pause.
        var waiting: EventHint?
    }

    private var ready: [String] = []
    private var pauses: [String: Pause] = [:]

    var isEmpty: Bool { ready.isEmpty }

    mutating func add(_ hint: EventHint, at now: ContinuousClock.Instant) {
        if let pause = pauses[hint.topic], pause.until > now {
            pauses[hint.topic]?.waiting = hint
        } else {
            send(hint, at: now)
        }
    }

    func hasDue(at now: ContinuousClock.Instant) -> Bool {
        pauses.values.contains { $0.until <= now }
    }

    /// Ends the pauses that are over, and sends the hints that waited for it.
    mutating func release(at now: ContinuousClock.Instant) {
        for (topic, pause) in pauses where pause.until <= now {
            pauses[topic] = nil
            if let hint = pause.waiting { send(hint, at: now) }
        }
    }

    /// The texts for server-sent events that are to be written.
    mutating func take() -> [String] {
        defer { ready = [] }
        return ready
    }

    private mutating func send(_ hint: EventHint, at now: ContinuousClock.Instant) {
        let text = "event: \(hint.name)\ndata: \(hint.data)\n"
        if !ready.contains(text) { ready.append(text) }
        if hint.interval > .zero { pauses[hint.topic] = Pause(until: now + hint.interval) }
    }
}
