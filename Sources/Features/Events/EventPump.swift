import Auth
import Groups
import Logging
import Metrics
import Postgres
import ServiceLifecycle
import Synchronization

/// Tells the hub what happens: listens for notifications, reads each group's news once, and looks now and then for what
/// no notification told, and for sessions that have ended.
///
/// A notification says only where to look. One that is lost, with its connection or by overload, costs the time to the
/// next look.
package struct EventPump: Service {
    private let service: EventService
    private let authenticator: Authenticator
    private let inbox = NoticeInbox()

    package init(service: EventService, authenticator: Authenticator) {
        self.service = service
        self.authenticator = authenticator
    }

    /// Until graceful shutdown or cancellation; streams are served for as long as it runs.
    package func run() async throws {
        service.hub.open()
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
        let payloads = service.log.postgres.listen(channel: LogNotice.channel) { inbox.askForLook() }
        do {
            for try await payload in payloads {
                if let notice = LogNotice(payload: payload) { inbox.add(notice) }
            }
        } catch {
            service.logger.error(
                "listening for events failed", metadata: ["error": "\(String(reflecting: error))"])
        }
    }

    private func read() async {
        var lastLook = ContinuousClock.now
        for await _ in inbox.signals {
            let (notices, isLookDue) = inbox.take()
            do {
                if isLookDue {
                    let began = ContinuousClock.now
                    try await look(back: began - lastLook + service.settings.pollOverlap)
                    lastLook = began
                }
                try await deliver(notices)
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

    private func look(back age: Duration) async throws {
        guard !service.hub.isEmpty else { return }
        try await deliver(try await service.log.notices(within: age))
    }

    private func deliver(_ notices: [LogNotice]) async throws {
        let unread = Array(service.hub.unread(notices))
        for start in stride(from: 0, to: unread.count, by: 200) {
            let asked = Dictionary(
                uniqueKeysWithValues: unread[start..<min(start + 200, unread.count)].map {
                    ($0.key, $0.value)
                })
            let limit = service.settings.pageSize
            let news = try await service.log.news(after: asked, limit: limit)
            service.hub.deliver(try await service.renderer.render(news), askedFor: asked.keys)
            for news in news where news.changes.count >= limit {
                guard let last = news.changes.last else { continue }
                inbox.add(LogNotice(group: news.group, number: last.position.number + 1, isJoining: false))
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
                inbox.askForLook()
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
private final class NoticeInbox: Sendable {
    private struct State {
        var numbers: [GroupID: Int] = [:]
        var joinings: [LogNotice] = []
        var isLookDue = false
    }

    private let state = Mutex(State())
    private let signal: AsyncStream<Void>.Continuation
    /// One for any number of notices.
    let signals: AsyncStream<Void>

    init() {
        (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func add(_ notice: LogNotice) {
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

    func take() -> (notices: [LogNotice], isLookDue: Bool) {
        state.withLock { state in
            defer { state = State() }
            let notices = state.numbers.map { LogNotice(group: $0.key, number: $0.value, isJoining: false) }
            return (state.joinings + notices, state.isLookDue)
        }
    }
}
