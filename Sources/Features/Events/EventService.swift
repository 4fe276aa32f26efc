import FeatureKit
import Auth
import DaylyAPI
import Foundation
import Groups
import HTTPKit
import Logging
import Metrics

/// Where a stream begins: found before the first byte of the answer, so that what is wrong with the request is its
/// answer.
package struct EventStart: Sendable {
    let user: UserID
    let session: SessionID
    let lifetime: Duration?
    let place: EventPlace
}

/// Streams of what happens in a user's groups.
///
/// The log is the truth, and each event names the one before it: a stream that has sent a group's event n sends the next
/// one behind n, handed over by the hub or read by itself. The group's members are read with the events, in one statement.
package struct EventService: Sendable {
    let log: GroupLogStore
    let cursors: GroupCursors
    let renderer: EventRenderer
    package let hub: EventHub
    let settings: EventSettings
    let logger: Logger

    /// - Parameter photos: those of the photos that are not expired, as every member sees them.
    package init(
        log: GroupLogStore, cursors: GroupCursors,
        photos: @escaping @Sendable ([UUID]) async throws -> [DaylyAPI.Photo], hub: EventHub,
        settings: EventSettings, logger: Logger
    ) {
        self.log = log
        self.cursors = cursors
        self.renderer = EventRenderer(photos: photos)
        self.hub = hub
        self.settings = settings
        self.logger = logger
    }

    /// - Parameter cursor: the last `id` that the client has seen; nil for what happens from now on.
    /// - Throws: `EventError`.
    package func start(_ identity: Identity, after cursor: String?) async throws -> EventStart {
        guard hub.hasRoom else { throw EventError.tooManyStreams }
        var seen: [GroupID: LogPosition] = [:]
        if let cursor {
            guard let positions = cursors.events(cursor, for: identity.user) else {
                throw EventError.cursorExpired
            }
            seen = positions
        }
        var place = EventPlace(positions: seen, beginsHere: cursor == nil)
        guard place.enter(try await log.memberships(of: identity.user, since: seen)) else {
            throw EventError.cursorExpired
        }
        return EventStart(
            user: identity.user, session: identity.session, lifetime: identity.expiresIn, place: place)
    }

    /// Writes the stream until it ends: by itself, or because `write` throws.
    package func run(_ start: EventStart, write: (String) async throws -> Void) async throws {
        let stream = EventStream(
            user: start.user, session: start.session, numbers: start.place.numbers, lifetime: start.lifetime,
            maxBuffered: settings.maxBuffered)
        guard hub.add(stream) else {
            return try await write(retryField(after: hub.isOpen ? nil : .shutdown) + "\n")
        }
        let ending: EventStream.Ending
        var place = start.place
        do {
            ending = try await withoutActuallyEscaping(write) { write in
                try await Outlet(service: self, stream: stream, write: write).serve(&place)
            }
            hub.remove(stream, from: place.numbers.keys)
            count(ending.rawValue)
        } catch {
            hub.remove(stream, from: place.numbers.keys)
            count("gone")
            throw error
        }
        try await write(retryField(after: ending) + "\n")
    }

    /// When to come back. The streams of a process that ends come back one by one: their queries would be a burst at its
    /// neighbours.
    func retryField(after ending: EventStream.Ending? = nil) -> String {
        let delay =
            ending == .shutdown
            ? settings.shutdownSpread * Double.random(in: 0...1)
            : settings.retry * Double.random(in: 0.7...1.3)
        return "retry: \(Int(delay / .milliseconds(1)))\n"
    }

    private func count(_ ending: String) {
        Counter(label: "dayly_event_streams_ended_total", dimensions: [("ending", ending)]).increment()
    }

    /// The way from a stream to its client.
    private struct Outlet {
        let service: EventService
        let stream: EventStream
        let write: (String) async throws -> Void

        func serve(_ place: inout EventPlace) async throws -> EventStream.Ending {
            // From here on a client that is cut off knows where to go on; an `id` alone is no event.
            try await write(service.retryField() + id(place) + "\n")
            while true {
                switch await stream.next() {
                case .write(let items): try await send(items, &place)
                case .read:
                    guard try await catchUp(&place) else { return .failed }
                case .heartbeat: try await write(":\n\n")
                case .end(let ending): return ending
                }
            }
        }

        private func id(_ place: EventPlace) -> String {
            let positions = place.positions.map { (group: $0.key, position: $0.value) }
            return "id: \(service.cursors.events(positions, for: stream.user))\n"
        }

        private func send(_ items: [EventItem], _ place: inout EventPlace) async throws {
            var text = ""
            for item in items {
                place.pass(item)
                if let event = item.text { text += event + id(place) + "\n" }
            }
            if !text.isEmpty { try await write(text) }
        }

        /// Reads the log from where the stream is to its end.
        /// - Returns: false where that cannot be done.
        private func catchUp(_ place: inout EventPlace) async throws -> Bool {
            guard let memberships = await service.memberships(of: stream.user, since: place.positions) else {
                return false
            }
            let left = place.leave(allBut: memberships)
            try await sendFarewells(from: left, &place)
            guard place.enter(memberships) else { return false }
            // Before the log is read: what comes later is told by the hub.
            service.hub.subscribe(stream, to: place.numbers)
            var unread = place.numbers
            while !unread.isEmpty {
                guard let rest = try await sendPage(behind: unread, &place) else { return false }
                unread = rest
            }
            stream.caughtUp(place.numbers)
            return true
        }

        /// - Returns: where there is more; nil where the log cannot be read, or lacks something.
        private func sendPage(
            behind unread: [GroupID: Int], _ place: inout EventPlace
        ) async throws -> [GroupID: Int]? {
            guard let page = await service.news(after: unread) else { return nil }
            var rest: [GroupID: Int] = [:]
            for news in page {
                let number = unread[news.group] ?? 0
                guard news.changes.first.map({ $0.previous <= number }) ?? true else { return nil }
                guard news.members.contains(stream.user) else {
                    service.hub.unsubscribe(stream, from: news.group)
                    try await send(news.items(for: stream.user, after: number), &place)
                    continue
                }
                try await send(news.items(for: stream.user, after: number), &place)
                if news.changes.count >= service.settings.pageSize {
                    rest[news.group] = news.changes.last?.position.number
                }
            }
            try await sendFarewells(from: Set(unread.keys).subtracting(page.map(\.group)), &place)
            return rest
        }

        private func sendFarewells(
            from groups: some Sequence<GroupID>, _ place: inout EventPlace
        ) async throws {
            for group in groups {
                service.hub.unsubscribe(stream, from: group)
                try await send([.farewell(to: stream.user, from: group)], &place)
            }
        }
    }

    private func memberships(
        of user: UserID, since positions: [GroupID: LogPosition]
    ) async -> [LogMembership]? {
        await reading { try await log.memberships(of: user, since: positions) }
    }

    private func news(after numbers: [GroupID: Int]) async -> [RenderedEvents]? {
        await reading {
            try await renderer.render(try await log.events(after: numbers, limit: settings.pageSize))
        }
    }

    /// A stream that cannot be read for ends; its client comes back when the database may be there again.
    private func reading<Value: Sendable>(_ body: @Sendable () async throws -> Value) async -> Value? {
        do {
            // In a task of its own: a task keeps the memory of the deepest call that it has ever made, and a stream's
            // lives for long.
            async let value = body()
            return try await value
        } catch {
            logger.warning("a stream of events ended", metadata: ["error": "\(String(reflecting: error))"])
            return nil
        }
    }
}
