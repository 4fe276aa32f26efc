import FeatureKit
import Auth
import Groups
import Logging
import Metrics
import Postgres
import ServiceLifecycle
import Synchronization

/// Passes events to the hub: takes the signals of this process's commits and the notifications of other
/// processes, reads each group's news once, and looks for sessions that have ended.
///
/// A signal says only where to look. Whenever LISTEN begins, what was sent before may be lost, so the pump compares
/// all streams with the database. It also does so in small parts all the time, because a process that is killed tells
/// nobody of its last commits.
package struct EventPump: Service {
    private let service: EventService
    private let authenticator: Authenticator
    private let inbox = SignalInbox()

    package init(service: EventService, authenticator: Authenticator) {
        self.service = service
        self.authenticator = authenticator
    }

    /// Until graceful shutdown or cancellation; streams are served for as long as it runs.
    package func run() async throws {
        service.hub.open()
        let subscription = service.log.postgres.signals.subscribe(to: [GroupEventSignal.channel]) { signals in
            for signal in signals { inbox.add(payload: signal.payload) }
        }
        defer { withExtendedLifetime(subscription) {} }
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await listen() }
                group.addTask { await read() }
                group.addTask { await tick() }
            }
        }
        service.hub.close()
    }

    private func listen() async {
        let payloads = service.log.postgres.listen(channel: GroupEventSignal.channel) { inbox.askForLook() }
        do {
            for try await payload in payloads {
                inbox.add(payload: payload)
            }
        } catch {
            service.logger.error(
                "listening for events failed", metadata: ["error": "\(String(reflecting: error))"])
        }
    }

    private func read() async {
        var part = 0
        for await _ in inbox.signals {
            let work = inbox.take()
            do {
                if work.isLookDue {
                    try await look(at: service.hub.users(inPart: 0, of: 1))
                } else if work.isPartDue {
                    let parts = service.settings.pollParts
                    try await look(at: service.hub.users(inPart: part % parts, of: parts))
                    part += 1
                }
                try await deliver(work.notices)
            } catch {
                guard !Task.isCancelled else { return }
                service.logger.warning(
                    "events could not be read", metadata: ["error": "\(String(reflecting: error))"])
                try? await Task.sleep(for: .milliseconds(500))
                // The next look finds what these were about.
                inbox.askForLook()
            }
        }
    }

    /// Compares the streams of these users with the database.
    private func look(at users: [UserID]) async throws {
        for start in stride(from: 0, to: users.count, by: 500) {
            let some = Array(users[start..<min(start + 500, users.count)])
            try await deliver(service.hub.compare(some, with: try await service.log.standings(of: some)))
        }
    }

    private func deliver(_ notices: [GroupEventSignal]) async throws {
        try await deliver(service.hub.unread(notices))
    }

    /// - Parameter unread: groups, and the numbers behind which their logs are to be read.
    private func deliver(_ unread: [GroupID: Int]) async throws {
        let unread = Array(unread)
        for start in stride(from: 0, to: unread.count, by: 200) {
            let asked = Dictionary(
                uniqueKeysWithValues: unread[start..<min(start + 200, unread.count)].map {
                    ($0.key, $0.value)
                })
            let limit = service.settings.pageSize
            let news = try await service.log.events(after: asked, limit: limit)
            service.hub.deliver(try await service.renderer.render(news), askedFor: asked.keys)
            for news in news where news.changes.count >= limit {
                guard let last = news.changes.last else { continue }
                inbox.add(
                    GroupEventSignal(group: news.group, number: last.position.number + 1, isJoining: false))
            }
        }
    }

    private func tick() async {
        let (poll, heartbeat) = (service.settings.pollInterval, service.settings.heartbeat)
        var (nextPoll, nextCheck) = (ContinuousClock.now + poll, ContinuousClock.now + heartbeat)
        while (try? await Task.sleep(for: min(.seconds(1), poll, heartbeat / 2))) != nil {
            let now = ContinuousClock.now
            service.hub.tick(now)
            if now >= nextPoll {
                inbox.askForPart()
                nextPoll = now + poll
            }
            if now >= nextCheck {
                await endStreamsOfEndedSessions()
                nextCheck = now + heartbeat
            }
        }
    }

    private func endStreamsOfEndedSessions() async {
        let sessions = service.hub.sessions
        guard !sessions.isEmpty else { return }
        do {
            service.hub.endStreams(of: sessions.subtracting(try await authenticator.live(among: sessions)))
        } catch {
            // Tokens end soon enough by themselves.
            service.logger.debug(
                "sessions could not be looked at", metadata: ["error": "\(String(reflecting: error))"])
        }
    }
}

/// What is waiting to be read, the same group once.
private final class SignalInbox: Sendable {
    struct Work {
        var notices: [GroupEventSignal] = []
        /// Everything is to be compared with the database.
        var isLookDue = false
        /// The next part is.
        var isPartDue = false
    }

    private struct State {
        var numbers: [GroupID: Int] = [:]
        var joinings: [GroupEventSignal] = []
        var isLookDue = false
        var isPartDue = false
    }

    private let state = Mutex(State())
    private let signal: AsyncStream<Void>.Continuation
    /// One for any number of notices.
    let signals: AsyncStream<Void>

    init() {
        (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// - Parameter payload: of signals, a line for each; an empty one stands for more than anybody counted.
    func add(payload: String) {
        guard !payload.isEmpty else { return askForLook() }
        for line in payload.split(separator: "\n") {
            if let notice = GroupEventSignal(payload: String(line)) { add(notice) }
        }
    }

    func add(_ notice: GroupEventSignal) {
        state.withLock { state in
            if notice.isJoining { state.joinings.append(notice) }
            state.numbers[notice.group] = max(state.numbers[notice.group] ?? 0, notice.number)
        }
        signal.yield()
    }

    func askForLook() {
        state.withLock { $0.isLookDue = true }
        signal.yield()
    }

    func askForPart() {
        state.withLock { $0.isPartDue = true }
        signal.yield()
    }

    func take() -> Work {
        state.withLock { state in
            defer { state = State() }
            let notices = state.numbers.map {
                GroupEventSignal(group: $0.key, number: $0.value, isJoining: false)
            }
            return Work(
                notices: state.joinings + notices, isLookDue: state.isLookDue, isPartDue: state.isPartDue)
        }
    }
}
