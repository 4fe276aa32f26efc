import Auth
import FeatureKit
import Groups
import Synchronization

/// One client's stream, between the hub, which offers events, and the task that writes them to the client.
///
/// The stream accepts an event only if it is the next one of its group. Otherwise the stream falls behind: it is new, has
/// missed events, or its user has joined a group. Then its own task reads the log. So no event is lost or sent twice,
/// whichever events the hub offers.
final class EventStream: Sendable {
    enum Ending: String, Sendable {
        /// The access token has expired.
        case expired
        case signedOut = "signed_out"
        /// Too many events waited for a slow client.
        case slow
        /// The user has opened more streams than a user may have.
        case replaced
        /// The service is shutting down.
        case shutdown
        /// The log could not be read, or does not have the next event any more.
        case failed
    }

    /// The next step of the task that writes.
    enum Step: Sendable {
        case write([EventItem])
        /// Texts of hints, which have no position.
        case hint([String])
        /// Read the log from the stream's position on, then call `caughtUp`.
        case read
        case heartbeat
        case end(Ending)
    }

    struct State {
        var items: [EventItem] = []
        var hints = StreamHints()
        /// The number of the last accepted event of each group to which the stream is subscribed.
        var numbers: [GroupID: Int]
        var isBehind = true
        var isReading = false
        var isHeartbeatDue = false
        var lastWrite = ContinuousClock.now
        var ending: Ending?
        var waiter: CheckedContinuation<Void, Never>?
    }

    let user: UserID
    let session: SessionID
    private let deadline: ContinuousClock.Instant?
    private let maxBuffered: Int
    let state: Mutex<State>

    /// - Parameters:
    ///   - numbers: for each group the number of the last event that the client has.
    ///   - lifetime: nil for no limit.
    init(
        user: UserID, session: SessionID, numbers: [GroupID: Int], lifetime: Duration?, maxBuffered: Int
    ) {
        self.user = user
        self.session = session
        self.maxBuffered = maxBuffered
        deadline = lifetime.map { ContinuousClock.now + $0 }
        state = Mutex(State(numbers: numbers))
    }

    // MARK: The hub's side

    /// The groups to which the stream is subscribed.
    var groups: [GroupID] { state.withLock { Array($0.numbers.keys) } }

    /// Subscribes the stream to the events of a group after that number.
    func subscribe(to group: GroupID, after number: Int) {
        state.withLock { if $0.numbers[group] == nil { $0.numbers[group] = number } }
    }

    func offer(_ page: RenderedEvents) {
        change { state in
            guard state.ending == nil else { return }
            guard let last = state.numbers[page.group], !state.isReading, !state.isBehind else {
                return state.isBehind = true
            }
            if !page.members.contains(user) { return self.leave(page.group, &state, page) }
            self.append(page.items(for: user, after: last), after: last, of: page.group, to: &state)
        }
    }

    /// The group was deleted together with its log.
    func offerEnd(of group: GroupID) {
        change { state in
            guard state.numbers[group] != nil, !state.isReading, !state.isBehind else {
                return state.isBehind = true
            }
            self.leave(group, &state, nil)
        }
    }

    /// Makes the stream read the log, because the events that it was offered may be incomplete.
    func fallBehind() {
        change { state in
            if state.ending == nil { state.isBehind = true }
        }
    }

    func end(_ ending: Ending) {
        change { state in
            guard state.ending == nil else { return }
            state.ending = ending
            state.items = []
        }
    }

    func offer(_ hint: EventHint, _ now: ContinuousClock.Instant) {
        change { state in
            if state.ending == nil { state.hints.add(hint, at: now) }
        }
    }

    /// Ends an expired stream, releases hints whose interval has passed, and schedules heartbeats. The pump calls it about once a second.
    func tick(_ now: ContinuousClock.Instant, heartbeat: Duration) {
        if let deadline, now >= deadline { return end(.expired) }
        if state.withLock({ $0.hints.hasDue(at: now) }) { change { $0.hints.release(at: now) } }
        let isDue = state.withLock { $0.lastWrite + heartbeat <= now && !$0.isHeartbeatDue }
        if isDue { change { $0.isHeartbeatDue = true } }
    }

    /// Drops the group's events that have not been sent, and adds the last event about the group.
    private func leave(_ group: GroupID, _ state: inout State, _ page: RenderedEvents?) {
        state.items.removeAll { $0.group == group }
        state.numbers[group] = nil
        state.items += page?.items(for: user, after: 0) ?? [.farewell(to: user, from: group)]
    }

    private func append(
        _ items: [EventItem], after last: Int, of group: GroupID, to state: inout State
    ) {
        var last = last
        for item in items {
            guard let number = item.position?.number, item.previous <= last, number > last
            else { return state.isBehind = true }
            state.items.append(item)
            last = number
            state.numbers[group] = last
        }
        if state.items.count > maxBuffered { (state.ending, state.items) = (.slow, []) }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            body(&state)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    // MARK: The writer's side

    /// Waits for the next step. Only one task at a time may call it.
    func next() async -> Step {
        while true {
            if let step = state.withLock({ Self.step(&$0) }) { return step }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isIdle = state.withLock { state in
                        let isIdle = Self.isIdle(state)
                        if isIdle { state.waiter = continuation }
                        return isIdle
                    }
                    if !isIdle { continuation.resume() }
                }
            } onCancel: {
                end(.shutdown)
            }
        }
    }

    /// The log was read up to these numbers. They include all groups whose member the user is.
    func caughtUp(_ numbers: [GroupID: Int]) {
        state.withLock { state in
            state.numbers = numbers
            state.isReading = false
            state.lastWrite = .now
        }
    }

    private static func isIdle(_ state: State) -> Bool {
        state.ending == nil && state.items.isEmpty && state.hints.isEmpty && !state.isBehind
            && !state.isHeartbeatDue
    }

    private static func step(_ state: inout State) -> Step? {
        if let ending = state.ending { return .end(ending) }
        if !state.items.isEmpty {
            defer { (state.items, state.lastWrite, state.isHeartbeatDue) = ([], .now, false) }
            return .write(state.items)
        }
        if state.isBehind {
            (state.isBehind, state.isReading) = (false, true)
            return .read
        }
        if !state.hints.isEmpty {
            defer { (state.lastWrite, state.isHeartbeatDue) = (.now, false) }
            return .hint(state.hints.take())
        }
        guard state.isHeartbeatDue else { return nil }
        (state.isHeartbeatDue, state.lastWrite) = (false, .now)
        return .heartbeat
    }
}
