import FeatureKit
import Auth
import Groups
import Metrics
import Synchronization

/// The streams of this process, by their groups. What happens in a group is read once and handed to all who listen.
package final class EventHub: Sendable {
    fileprivate struct Group {
        /// The last event that was handed out, or that was known when the first stream came.
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

    package init(settings: EventSettings) {
        self.settings = settings
    }

    /// From here on streams are served.
    func open() {
        state.withLock { $0.isOpen = true }
    }

    /// Ends all streams; none is served from here on.
    package func close() {
        let streams = state.withLock { state in
            state.isOpen = false
            return state.users.values.flatMap { $0 }
        }
        for stream in streams { stream.end(.shutdown) }
    }

    var hasRoom: Bool { state.withLock { $0.count < settings.maxStreams } }
    var isOpen: Bool { state.withLock { $0.isOpen } }
    var isEmpty: Bool { state.withLock { $0.count == 0 } }

    /// - Returns: false when no stream is served, or no more.
    func add(_ stream: EventStream) -> Bool {
        let (isAdded, oldest) = state.withLock { state -> (Bool, EventStream?) in
            guard state.isOpen, state.count < settings.maxStreams else { return (false, nil) }
            state.count += 1
            gauge.record(state.count)
            state.users[stream.user, default: []].append(stream)
            let own = state.users[stream.user] ?? []
            return (true, own.count > settings.maxStreamsPerUser ? own.first : nil)
        }
        oldest?.end(.replaced)
        return isAdded
    }

    /// - Parameter groups: those that it may have been subscribed to beside the ones it listens to.
    func remove(_ stream: EventStream, from groups: some Sequence<GroupID>) {
        let listened = stream.groups
        state.withLock { state in
            for group in Set(groups).union(listened) { Self.drop(stream, from: group, &state) }
            guard let index = state.users[stream.user]?.firstIndex(where: { $0 === stream }) else { return }
            state.users[stream.user]?.remove(at: index)
            if state.users[stream.user]?.isEmpty ?? false { state.users[stream.user] = nil }
            state.count -= 1
            gauge.record(state.count)
        }
    }

    /// The stream gets what happens in the groups behind those numbers. It reads the log itself after this.
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

    /// Which groups' logs have news for somebody here, and behind which numbers.
    func unread(_ notices: some Sequence<GroupEventSignal>) -> [GroupID: Int] {
        state.withLock { state in
            var unread: [GroupID: Int] = [:]
            for notice in notices {
                if let group = state.groups[notice.group] {
                    if group.number < notice.number { unread[notice.group] = group.number }
                } else if notice.isJoining, state.count > 0 {
                    // The person who joined may be listening here, to other groups so far. Of several, the first
                    // needs the log from their joining on.
                    let before = notice.number - 1
                    unread[notice.group] = min(unread[notice.group] ?? before, before)
                }
            }
            return unread
        }
    }

    /// The users with streams here that belong to a part: each is in one of `parts`.
    func users(inPart part: Int, of parts: Int) -> [UserID] {
        state.withLock { state in
            state.users.keys.filter { Int($0.rawValue.uuid.15) % max(parts, 1) == part }
        }
    }

    /// Compares the streams of these users with the database. A stream that listens to other groups than its user is
    /// in falls behind, and reads the log itself.
    /// - Returns: which groups' logs have news for somebody here, and behind which numbers.
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

    /// Hands out what was read. Groups that were asked for and are not among the news are gone.
    func deliver(_ news: [RenderedEvents], askedFor asked: some Sequence<GroupID>) {
        state.withLock { state in
            for news in news {
                Self.listen(news, &state)
                guard var group = state.groups[news.group] else { continue }
                for stream in group.streams { stream.offer(news) }
                group.streams.removeAll { !news.members.contains($0.user) }
                group.number = max(group.number, news.changes.last?.position.number ?? 0)
                state.groups[news.group] = group.streams.isEmpty ? nil : group
            }
            for gone in Set(asked).subtracting(news.map(\.group)) {
                for stream in state.groups.removeValue(forKey: gone)?.streams ?? [] {
                    stream.offerEnd(of: gone)
                }
            }
        }
    }

    func tick(_ now: ContinuousClock.Instant) {
        for stream in streams { stream.tick(now, heartbeat: settings.heartbeat) }
    }

    var sessions: Set<SessionID> { Set(streams.map(\.session)) }

    func endStreams(of sessions: Set<SessionID>) {
        for stream in streams where sessions.contains(stream.session) { stream.end(.signedOut) }
    }

    var streams: [EventStream] { state.withLock { $0.users.values.flatMap { $0 } } }

    /// Those of the joined who have streams here listen from now on.
    private static func listen(_ news: RenderedEvents, _ state: inout State) {
        for change in news.changes where change.kind == .memberJoined {
            guard let user = change.user, news.members.contains(user) else { continue }
            let before = change.position.number - 1
            for stream in state.users[user] ?? [] {
                stream.listen(to: news.group, after: before)
                state.groups[news.group, default: Group(number: before, streams: [])].add(stream)
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
