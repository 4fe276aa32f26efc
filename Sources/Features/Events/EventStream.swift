import FeatureKit
import Auth
import Groups
import Synchronization

/// One client's stream, between the hub, which puts events in, and the task that writes them out.
///
/// The stream takes an event only where it is the very next one of its group. Whatever is out of line, because the
/// stream is new, has been overtaken, or its user joined a group, makes the stream fall behind: then its own task
/// reads the log. So nothing is lost and nothing comes twice, whatever the hub was told and when.
final class EventStream: Sendable {
    enum Ending: String, Sendable {
        /// The access token's time is over.
        case expired
        case signedOut = "signed_out"
        /// Too much waited for a reader that is too slow.
        case slow
        /// The user opened more streams than one may have.
        case replaced
        /// The service is going.
        case shutdown
        /// The log could not be read, or no longer has what comes next.
        case failed
    }

    /// What the task that writes is to do next.
    enum Step: Sendable {
        case write([EventItem])
        /// Read the log from where the stream is; then call `caughtUp`.
        case read
        case heartbeat
        case end(Ending)
    }

    private struct State {
        var items: [EventItem] = []
        /// The last number handed over, by group: of all groups that are listened to.
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
    private let state: Mutex<State>

    /// - Parameters:
    ///   - numbers: where each group's events are to begin, exclusive.
    ///   - lifetime: nil for ever.
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

    /// The groups that are listened to.
    var groups: [GroupID] { state.withLock { Array($0.numbers.keys) } }

    /// Whether events are handed over as they come.
    var isInStep: Bool { state.withLock { !$0.isBehind && !$0.isReading } }

    /// Listens to a group, from behind that number on.
    func listen(to group: GroupID, after number: Int) {
        state.withLock { if $0.numbers[group] == nil { $0.numbers[group] = number } }
    }

    func offer(_ news: RenderedEvents) {
        change { state in
            guard state.ending == nil else { return }
            guard let last = state.numbers[news.group], !state.isReading, !state.isBehind else {
                return state.isBehind = true
            }
            if !news.members.contains(user) { return self.leave(news.group, &state, news) }
            self.append(news.items(for: user, after: last), after: last, of: news.group, to: &state)
        }
    }

    /// The group is gone, and with it its log.
    func offerEnd(of group: GroupID) {
        change { state in
            guard state.numbers[group] != nil, !state.isReading, !state.isBehind else {
                return state.isBehind = true
            }
            self.leave(group, &state, nil)
        }
    }

    /// The events handed to the stream may be incomplete, so it reads the log itself.
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

    /// Called every now and then.
    func tick(_ now: ContinuousClock.Instant, heartbeat: Duration) {
        if let deadline, now >= deadline { return end(.expired) }
        let isDue = state.withLock { $0.lastWrite + heartbeat <= now && !$0.isHeartbeatDue }
        if isDue { change { $0.isHeartbeatDue = true } }
    }

    /// Nothing of the group that has not been sent yet is sent any more.
    private func leave(_ group: GroupID, _ state: inout State, _ news: RenderedEvents?) {
        state.items.removeAll { $0.group == group }
        state.numbers[group] = nil
        state.items += news?.items(for: user, after: 0) ?? [.farewell(to: user, from: group)]
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

    /// What is to be done next; waits for it. One task at a time may ask.
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

    /// The log was read up to these numbers, of all groups that the user is in.
    func caughtUp(_ numbers: [GroupID: Int]) {
        state.withLock { state in
            state.numbers = numbers
            state.isReading = false
            state.lastWrite = .now
        }
    }

    private static func isIdle(_ state: State) -> Bool {
        state.ending == nil && state.items.isEmpty && !state.isBehind && !state.isHeartbeatDue
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
        guard state.isHeartbeatDue else { return nil }
        (state.isHeartbeatDue, state.lastWrite) = (false, .now)
        return .heartbeat
    }
}
