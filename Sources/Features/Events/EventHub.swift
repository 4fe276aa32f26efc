import Auth
import FeatureKit
import Groups
import Metrics
import Synchronization

/// The streams of this process by group. The events of a group are read once and handed to all of its streams.
final class EventHub: Sendable {
    fileprivate struct Group {
        /// The number of the last event that was handed to the streams, or of the last event before the first stream subscribed.
        var number: Int
        var streams: [EventStream]
    }

    private struct State {
        var isOpen = false
        var groups: [GroupID: Group] = [:]
        /// Oldest first.
        var users: [UserID: [EventStream]] = [:]
        var count = 0
    }

    private let settings: EventSettings
    private let state = Mutex(State())
    private let gauge = Gauge(label: "dayly_event_streams")

    init(settings: EventSettings) {
        self.settings = settings
    }

    /// Accepts streams from now on.
    func open() {
        state.withLock { $0.isOpen = true }
    }

    /// Ends all streams and accepts no further ones.
    func close() {
        for stream in refuseStreams() { stream.end(.shutdown) }
    }

    /// Accepts no further streams and ends one after the other, in random order. Cancellation ends the rest at once.
    func closeGradually() async {
        let streams = refuseStreams()
        let pause = min(settings.endPause, settings.shutdownSpread / max(streams.count, 1))
        for stream in streams.shuffled() {
            stream.end(.shutdown)
            try? await Task.sleep(for: pause)
        }
    }

    private func refuseStreams() -> [EventStream] {
        state.withLock { state in
            state.isOpen = false
            return state.users.values.flatMap { $0 }
        }
    }

    var hasRoom: Bool { state.withLock { $0.count < settings.maxStreams } }
    var isOpen: Bool { state.withLock { $0.isOpen } }
    var isEmpty: Bool { state.withLock { $0.count == 0 } }

    /// - Returns: false if the hub is closed or full.
    func add(_ stream: EventStream) -> Bool {
        let (isAdded, surplus) = state.withLock { state -> (Bool, [EventStream]) in
            guard state.isOpen, state.count < settings.maxStreams else { return (false, []) }
            state.count += 1
            gauge.record(state.count)
            state.users[stream.user, default: []].append(stream)
            // All but the newest end. Some may have been told before: they stay here until their tasks leave, and a client
            // that does not read delays that.
            let own = state.users[stream.user] ?? []
            return (true, own.dropLast(settings.maxStreamsPerUser))
        }
        for oldest in surplus { oldest.end(.replaced) }
        return isAdded
    }

    /// - Parameter groups: groups to which the stream may be subscribed in addition to `stream.groups`.
    func remove(_ stream: EventStream, from groups: some Sequence<GroupID>) {
        let own = stream.groups
        state.withLock { state in
            for group in Set(groups).union(own) { Self.drop(stream, from: group, &state) }
            guard let index = state.users[stream.user]?.firstIndex(where: { $0 === stream }) else { return }
            state.users[stream.user]?.remove(at: index)
            if state.users[stream.user]?.isEmpty ?? false { state.users[stream.user] = nil }
            state.count -= 1
            gauge.record(state.count)
        }
    }

    /// Hands the events of the groups after those numbers to the stream. The stream reads the log itself after this call.
    func subscribe(_ stream: EventStream, to numbers: [GroupID: Int]) {
        state.withLock { state in
            for (group, number) in numbers {
                state.groups[group, default: Group(number: number, streams: [])].add(stream)
            }
        }
    }

    func unsubscribe(_ stream: EventStream, from group: GroupID) {
        state.withLock { Self.drop(stream, from: group, &$0) }
    }

    /// The groups with events that the streams of this process have not got, each with the number after which to read.
    func unread(_ signals: some Sequence<GroupEventSignal>) -> [GroupID: Int] {
        state.withLock { state in
            var unread: [GroupID: Int] = [:]
            for signal in signals {
                if let group = state.groups[signal.group] {
                    if group.number < signal.number { unread[signal.group] = group.number }
                } else if signal.isJoining, state.count > 0 {
                    // The new member may already have a stream on this process, subscribed to other groups. If several
                    // members have joined, the log is read from the first of them on.
                    let before = signal.number - 1
                    unread[signal.group] = min(unread[signal.group] ?? before, before)
                }
            }
            return unread
        }
    }

    /// The users with streams on this process that belong to a part. Each user belongs to exactly one of `parts`.
    func users(inPart part: Int, of parts: Int) -> [UserID] {
        state.withLock { state in
            state.users.keys.filter { Int($0.rawValue.uuid.15) % max(parts, 1) == part }
        }
    }

    /// Compares the streams of these users with the database. A stream whose groups differ from those of its user falls behind
    /// and reads the log itself.
    ///
    /// - Returns: the groups with events that the streams of this process have not got, each with the number after which to
    ///   read.
    func compare(_ users: [UserID], with standings: [GroupStanding]) -> [GroupID: Int] {
        let groups = Dictionary(grouping: standings, by: \.user).mapValues { Set($0.map(\.group)) }
        return state.withLock { state in
            for user in users {
                for stream in state.users[user] ?? [] where Set(stream.groups) != groups[user] ?? [] {
                    stream.fallBehind()
                }
            }
            var unread: [GroupID: Int] = [:]
            for standing in standings {
                guard let number = state.groups[standing.group]?.number, number < standing.lastEvent else {
                    continue
                }
                unread[standing.group] = number
            }
            return unread
        }
    }

    /// Hands events to the streams. A group that was asked for and has no page was deleted.
    func deliver(_ pages: [RenderedEvents], askedFor asked: some Sequence<GroupID>) {
        state.withLock { state in
            for page in pages {
                Self.subscribeNewMembers(page, &state)
                guard var group = state.groups[page.group] else { continue }
                for stream in group.streams { stream.offer(page) }
                group.streams.removeAll { !page.members.contains($0.user) }
                group.number = max(group.number, page.changes.last?.position.number ?? 0)
                state.groups[page.group] = group.streams.isEmpty ? nil : group
            }
            for gone in Set(asked).subtracting(pages.map(\.group)) {
                for stream in state.groups.removeValue(forKey: gone)?.streams ?? [] {
                    stream.offerEnd(of: gone)
                }
            }
        }
    }

    /// Hands a hint to the streams of its users on this process.
    func hint(_ hint: EventHint) {
        let streams = state.withLock { state in hint.users.flatMap { state.users[$0] ?? [] } }
        let now = ContinuousClock.now
        for stream in streams { stream.offer(hint, now) }
    }

    func tick(_ now: ContinuousClock.Instant) {
        for stream in streams { stream.tick(now, heartbeat: settings.heartbeat) }
    }

    var sessions: Set<SessionID> { Set(streams.map(\.session)) }

    func endStreams(of sessions: Set<SessionID>) {
        for stream in streams where sessions.contains(stream.session) { stream.end(.signedOut) }
    }

    var streams: [EventStream] { state.withLock { $0.users.values.flatMap { $0 } } }

    /// Subscribes the streams of members who have joined.
    private static func subscribeNewMembers(_ page: RenderedEvents, _ state: inout State) {
        for change in page.changes where change.kind == .memberJoined {
            guard let user = change.user, page.members.contains(user) else { continue }
            let before = change.position.number - 1
            for stream in state.users[user] ?? [] {
                stream.subscribe(to: page.group, after: before)
                state.groups[page.group, default: Group(number: before, streams: [])].add(stream)
            }
        }
    }

    private static func drop(_ stream: EventStream, from id: GroupID, _ state: inout State) {
        guard var group = state.groups[id] else { return }
        group.streams.removeAll { $0 === stream }
        state.groups[id] = group.streams.isEmpty ? nil : group
    }
}

extension EventHub.Group {
    fileprivate mutating func add(_ stream: EventStream) {
        if !streams.contains(where: { $0 === stream }) { streams.append(stream) }
    }
}
