import DaylyClient
import DaylyAPI

/// The rules by which a phone sends its events, without a clock, a network or a disk. Moments are those of a steady clock.
struct PhoneSyncMachine: Sendable {
    /// A reason to send.
    enum Trigger: Sendable, Equatable {
        /// - Parameter canWait: whether the event has no hurry.
        case recorded(canWait: Bool)
        /// The app came to the foreground, or the system lets it work in the background.
        case opened
        case signedIn
        /// The app has mended the reason why the queue stopped.
        case restarted
    }

    /// A sync as it was sent.
    struct Attempt: Sendable, Equatable {
        /// The last event's number; nil without events.
        var last: Int?
        /// Whether events are left that did not fit.
        var isPartial: Bool
        var cursor: String?
    }

    /// The result of an attempt.
    enum Outcome: Sendable, Equatable {
        /// - Parameter cursor: nil if the app did not take the other phones' events.
        case answered(acknowledged: Int, cursor: String?, hasMore: Bool)
        /// No answer, or one that is not the service's, such as the page of a captive portal.
        case unanswered
        case refused(status: Int, code: String, retryAfter: Duration?)
        case signedOut
        /// The attempt was broken off on this side.
        case cancelled
    }

    /// The duty of the queue after an attempt.
    enum Action: Sendable, Equatable {
        /// Keep the number, then delete the events up to it.
        case acknowledge(Int)
        /// Keep the cursor for the next sync.
        case move(cursor: String?)
    }

    enum State: Sendable, Equatable {
        /// Nothing is sent before the next trigger.
        case idle
        case due
        /// - Parameter isMended: whether a reason why the queue may stop was mended since the sync was sent.
        case syncing(Attempt, isWantedAgain: Bool, isMended: Bool)
        /// - Parameter isAsked: whether the service named the moment. Then nothing ends the wait early.
        case waiting(until: Duration, isAsked: Bool)
        case stopped(PhoneSyncStatus.Stop)
    }

    /// The waits before a failed sync is repeated. After the last one the next trigger begins anew.
    static let pauses: [Duration] = [.seconds(60), .seconds(120), .seconds(240)]
    /// A proxy's `Retry-After` may be anything.
    static let longestRetryAfter: Duration = .seconds(3600)

    /// The refusal of a user without a part in the product.
    let notJoined: ProblemCode
    private(set) var state = State.idle
    /// Since the last sync that succeeded or was given up.
    private(set) var failures = 0
    /// Events that may wait are sent at once too. Otherwise the next one that may not takes them along.
    var sendsAllAtOnce = true

    func isDue(at now: Duration) -> Bool {
        switch state {
        case .due: true
        case .waiting(let until, _): until <= now
        default: false
        }
    }

    mutating func receive(_ trigger: Trigger) {
        switch (state, trigger) {
        case (.stopped(.signedOut), .signedIn), (.stopped, .restarted): begin()
        case (.syncing(let attempt, let isWantedAgain, _), .signedIn),
            (.syncing(let attempt, let isWantedAgain, _), .restarted):
            state = .syncing(attempt, isWantedAgain: isWantedAgain, isMended: true)
        case (.stopped, _), (_, .restarted): break
        case (.waiting(_, isAsked: true), _): break
        case (.waiting, .recorded): break
        case (.syncing(let attempt, _, let isMended), .recorded(let canWait)) where isUrgent(canWait):
            state = .syncing(attempt, isWantedAgain: true, isMended: isMended)
        case (.syncing, _): break
        case (.idle, .recorded(let canWait)) where !isUrgent(canWait): break
        default: begin()
        }
    }

    private mutating func begin() {
        failures = 0
        state = .due
    }

    private func isUrgent(_ canWait: Bool) -> Bool { sendsAllAtOnce || !canWait }

    /// There is nothing to send.
    mutating func rest() {
        state = .idle
    }

    /// The device could not keep the answer, so the same sync is to be made again.
    mutating func giveUp(at now: Duration) {
        fail(nil, at: now)
    }

    /// Begins an attempt.
    mutating func begin(_ attempt: Attempt) {
        state = .syncing(attempt, isWantedAgain: attempt.isPartial, isMended: false)
    }

    mutating func finish(_ outcome: Outcome, at now: Duration) -> [Action] {
        guard case .syncing(let attempt, let isWantedAgain, let isMended) = state else { return [] }
        // The refusal may be older than the mend.
        defer { if isMended, case .stopped = state { begin() } }
        switch outcome {
        case .answered(let acknowledged, let cursor, let hasMore):
            return finish(attempt, isWantedAgain, acknowledged, cursor, hasMore, at: now)
        case .unanswered: fail(nil, at: now)
        case .refused(let status, let code, let retryAfter):
            return finish(attempt, status, code, retryAfter, at: now)
        case .signedOut: state = .stopped(.signedOut)
        case .cancelled: state = .idle
        }
        return []
    }

    private mutating func finish(
        _ attempt: Attempt, _ isWantedAgain: Bool, _ acknowledged: Int, _ cursor: String?, _ hasMore: Bool,
        at now: Duration
    ) -> [Action] {
        var actions = [Action.acknowledge(acknowledged)]
        if let cursor { actions.append(.move(cursor: cursor)) }
        guard acknowledged >= attempt.last ?? 0 else {
            // The same events would go for ever.
            fail(nil, at: now)
            return actions
        }
        failures = 0
        let isMoving = hasMore && cursor != nil && cursor != attempt.cursor
        state = isWantedAgain || isMoving ? .due : .idle
        return actions
    }

    private mutating func finish(
        _ attempt: Attempt, _ status: Int, _ code: String, _ retryAfter: Duration?, at now: Duration
    ) -> [Action] {
        switch (status, ProblemCode(rawValue: code)) {
        case (401, _): state = .stopped(.signedOut)
        case (409, notJoined): state = .stopped(.notJoined)
        case (404, .notFound): state = .stopped(.unknownDevice)
        case (410, .cursorExpired) where attempt.cursor != nil:
            // Nothing was taken: the same events go at once, and the other phones' last week comes again.
            state = .due
            return [.move(cursor: nil)]
        case (400, _), (403, _), (404, _), (409, .deviceLimitReached), (410, _), (413, _), (422, _):
            state = .stopped(.refused(code: code))
        default: fail(retryAfter, at: now)
        }
        return []
    }

    private mutating func fail(_ retryAfter: Duration?, at now: Duration) {
        failures += 1
        if let retryAfter {
            state = .waiting(until: now + min(retryAfter, Self.longestRetryAfter), isAsked: true)
        } else if failures <= Self.pauses.count {
            state = .waiting(until: now + Self.pauses[failures - 1], isAsked: false)
        } else {
            failures = 0
            state = .idle
        }
    }
}
