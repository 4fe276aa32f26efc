import Auth
import FeatureKit
import Groups
import Logging
import Metrics
import Postgres
import ServiceLifecycle

/// Passes events to the hub. It receives the signals of this process's commits and, by LISTEN, those of other processes, reads
/// each group's events once, and ends the streams of sessions that have ended.
///
/// A signal says only which group has events. When LISTEN begins, earlier signals may be lost, so the pump compares all
/// streams with the database. It also compares a part of them at every poll, because a process that is killed does not
/// signal its last commits.
struct EventPump: Service {
    private let service: EventService
    private let authenticator: Authenticator
    private let inbox = SignalInbox()

    init(service: EventService, authenticator: Authenticator) {
        self.service = service
        self.authenticator = authenticator
    }

    /// Serves streams until graceful shutdown or cancellation.
    func run() async throws {
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
        let payloads = service.log.postgres.listen(channel: GroupEventSignal.channel) {
            inbox.requestComparison()
        }
        do {
            for try await payload in payloads {
                inbox.add(payload: payload)
                hint(payload)
            }
        } catch {
            service.logger.error(
                "listening for events failed", metadata: ["error": "\(String(reflecting: error))"])
        }
    }

    /// Hands a hint to the streams. PostgreSQL notifies this process of its own hints too, so that it needs no second way
    /// for them.
    private func hint(_ payload: String) {
        for line in payload.split(separator: "\n") {
            if let hint = EventHint(payload: line) { service.hub.hint(hint) }
        }
    }

    private func read() async {
        var part = 0
        for await _ in inbox.wakeups {
            let work = inbox.take()
            do {
                if work.comparesAll {
                    try await compare(service.hub.users(inPart: 0, of: 1))
                } else if work.comparesPart {
                    let parts = service.settings.pollParts
                    try await compare(service.hub.users(inPart: part % parts, of: parts))
                    part += 1
                }
                try await deliver(work.signals)
            } catch {
                guard !Task.isCancelled else { return }
                service.logger.warning(
                    "events could not be read", metadata: ["error": "\(String(reflecting: error))"])
                try? await Task.sleep(for: .milliseconds(500))
                // The comparison finds the events of these signals.
                inbox.requestComparison()
            }
        }
    }

    /// Compares the streams of these users with the database.
    private func compare(_ users: [UserID]) async throws {
        for start in stride(from: 0, to: users.count, by: 500) {
            let some = Array(users[start..<min(start + 500, users.count)])
            try await deliver(service.hub.compare(some, with: try await service.log.standings(of: some)))
        }
    }

    private func deliver(_ signals: [GroupEventSignal]) async throws {
        try await deliver(service.hub.unread(signals))
    }

    /// - Parameter unread: the groups, each with the number after which its log is to be read.
    private func deliver(_ unread: [GroupID: Int]) async throws {
        let unread = Array(unread)
        for start in stride(from: 0, to: unread.count, by: 200) {
            let asked = Dictionary(
                uniqueKeysWithValues: unread[start..<min(start + 200, unread.count)].map {
                    ($0.key, $0.value)
                })
            let limit = service.settings.pageSize
            let pages = try await service.log.events(after: asked, limit: limit)
            service.hub.deliver(try await service.renderer.render(pages), askedFor: asked.keys)
            for page in pages where page.changes.count >= limit {
                guard let last = page.changes.last else { continue }
                inbox.add(
                    GroupEventSignal(group: page.group, number: last.position.number + 1, isJoining: false))
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
                inbox.requestPartialComparison()
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
            // The streams end with their access tokens anyway.
            service.logger.debug(
                "the sessions of streams could not be read",
                metadata: ["error": "\(String(reflecting: error))"])
        }
    }
}
