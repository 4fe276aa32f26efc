import DaylyAPI
import Foundation

/// The rules of the upload queue for one item, without a clock, a network or a disk.
struct UploadMachine: Sendable {
    /// The result of an attempt.
    enum Outcome: Sendable, Equatable {
        /// 201, or 200 for a repeat.
        case accepted
        /// No answer, or a proxy's 5xx.
        case unanswered
        /// An answer that is not the service's, such as the page of a captive portal; with a sentence for the user.
        case answeredByNetwork(String?)
        case refused(Refusal)
        /// The user is not signed in, and the item has no ticket.
        case signedOut
        /// The attempt was broken off on this side.
        case cancelled
        /// The picture's file is not there.
        case pictureMissing
    }

    /// A problem that the service answered.
    struct Refusal: Sendable, Equatable {
        var status: Int
        var code: String
        var detail: String?
        var retryAfter: Duration?
        var nextSendAt: Date?
        /// Whether the attempt used the item's ticket. An attempt by the session has refreshed its token by itself.
        var usedTicket = false
    }

    /// The duty of the queue after a transition.
    enum Action: Sendable, Equatable {
        /// Write the item to its folder.
        case store
        /// Delete the item's folder.
        case remove
        /// Delete the picture: no later attempt can use it.
        case dropPicture
        /// Try again at once, by the session.
        case sendAgain
    }

    /// The waits between attempts, which have no end before the item becomes too old.
    static let pauses = RetryPolicy(attempts: .max, firstPause: .seconds(2), longestPause: .seconds(300))
    /// An older picture is not sent without asking.
    static let longestAge: Duration = .seconds(24 * 3600)
    /// A proxy's `Retry-After` may be anything.
    static let longestRetryAfter: Duration = .seconds(3600)
    /// A used day ends at the next local midnight, which time zones move by a day at most.
    static let longestKeep: Duration = .seconds(50 * 3600)

    private(set) var item: UploadItem

    init(_ item: UploadItem) {
        self.item = item
    }

    /// Whether the queue may send the item now.
    func isDue(at now: Date) -> Bool {
        item.state == .waiting && item.notBefore <= now
    }

    /// Whether the last attempt got no answer of the service. A network that has come back ends such a wait early; a wait that
    /// the service asked for goes on.
    var lackedNetwork: Bool {
        item.state == .waiting && item.attempts > 0
            && (item.problem == nil || item.problem == .networkAnswered)
    }

    /// Begins an attempt.
    mutating func begin() {
        item.state = .sending
        item.progress = 0
    }

    /// Brings an item from the disk, or one that has waited, up to the present.
    mutating func review(at now: Date) -> [Action] {
        let before = item
        if item.state == .sending { item.state = .waiting }
        followClock(to: now)
        let age = now.timeIntervalSince(item.queuedAt)
        if item.state == .waiting && age > Self.longestAge.inSeconds { stop(.tooOld, nil) }
        return item == before ? [] : [.store]
    }

    /// A clock that was set back must not make an item wait for longer than any rule allows.
    private mutating func followClock(to now: Date) {
        let longest = item.nextSendAt == nil ? Self.longestRetryAfter : Self.longestKeep
        if item.notBefore.timeIntervalSince(now) > longest.inSeconds { item.notBefore = now }
        item.queuedAt = min(item.queuedAt, max(now, item.notBefore))
    }

    mutating func finish(_ outcome: Outcome, at now: Date, pauses: RetryPolicy) -> [Action] {
        item.progress = 0
        switch outcome {
        case .accepted: return [.remove]
        case .signedOut:
            item.state = .signedOut
            return [.store]
        case .cancelled:
            item.state = .waiting
            return []
        case .pictureMissing:
            stop(.pictureMissing, nil)
            return [.store]
        case .unanswered: return wait(nil, at: now, pauses: pauses)
        case .answeredByNetwork(let detail):
            let actions = wait(nil, at: now, pauses: pauses)
            item.problem = .networkAnswered
            item.problemDetail = detail
            return actions
        case .refused(let refusal): return finish(refusal, at: now, pauses: pauses)
        }
    }

    private mutating func finish(_ refusal: Refusal, at now: Date, pauses: RetryPolicy) -> [Action] {
        switch (refusal.status, refusal.code) {
        case (401, _):
            item.ticket = nil
            item.state = refusal.usedTicket ? .sending : .signedOut
            return refusal.usedTicket ? [.store, .sendAgain] : [.store]
        case (409, ProblemCode.alreadySentToday.rawValue):
            stop(.refused(code: refusal.code), refusal.detail)
            item.nextSendAt = refusal.nextSendAt
            return [.store]
        case (400, _), (403, _), (404, _), (410, _), (413, _), (415, _), (422, _):
            stop(.refused(code: refusal.code), refusal.detail)
            // The picture goes first: an item without one says why, a picture without an item would stay.
            return [.dropPicture, .store]
        default: return wait(refusal, at: now, pauses: pauses)
        }
    }

    /// The user asks for another attempt, which begins the item's day in the queue anew.
    mutating func retry(at now: Date) -> [Action] {
        guard item.state != .sending else { return [] }
        item.state = .waiting
        item.attempts = 0
        item.queuedAt = now
        item.notBefore = now
        clearProblem()
        return [.store]
    }

    /// Ends a wait for the network. The item does not grow younger by it, because nobody was asked.
    mutating func networkReturned(at now: Date) -> [Action] {
        guard lackedNetwork else { return [] }
        item.attempts = 0
        item.notBefore = now
        _ = review(at: now)
        return [.store]
    }

    /// Keeps an item until its group takes the next photo.
    mutating func keepUntilNextDay(at now: Date) -> [Action] {
        guard item.state == .stopped, let nextSendAt = item.nextSendAt else { return [] }
        let actions = retry(at: now)
        item.nextSendAt = nextSendAt
        item.notBefore = nextSendAt
        item.queuedAt = max(now, nextSendAt)
        return actions
    }

    /// A new session sends what the old one could not.
    mutating func signedIn(at now: Date) -> [Action] {
        guard item.state == .signedOut else { return [] }
        item.state = .waiting
        item.notBefore = now
        clearProblem()
        return [.store]
    }

    mutating func receive(_ ticket: UploadTicket) -> [Action] {
        item.ticket = ticket
        return [.store]
    }

    mutating func progress(to fraction: Double) {
        guard item.state == .sending else { return }
        item.progress = max(item.progress, min(fraction, 1))
    }

    private mutating func wait(_ refusal: Refusal?, at now: Date, pauses: RetryPolicy) -> [Action] {
        let wait =
            refusal?.retryAfter.map { min($0, Self.longestRetryAfter) }
            ?? pauses.delay(attempt: item.attempts + 1)
        item.state = .waiting
        item.attempts += 1
        clearProblem()
        item.problem = refusal.map { .refused(code: $0.code) }
        item.problemDetail = refusal?.detail
        item.notBefore = now.addingTimeInterval(wait.inSeconds)
        return [.store]
    }

    private mutating func stop(_ problem: UploadProblem, _ detail: String?) {
        item.state = .stopped
        item.problem = problem
        item.problemDetail = detail
    }

    private mutating func clearProblem() {
        item.problem = nil
        item.problemDetail = nil
        item.nextSendAt = nil
    }
}

extension Duration {
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
