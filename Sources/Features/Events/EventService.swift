import Auth
import DaylyAPI
import FeatureKit
import Foundation
import Groups
import HTTPKit
import Logging
import Metrics

/// The beginning of a stream. It is determined before the first byte of the answer, so that an invalid request gets an error
/// as its answer.
struct EventStart: Sendable {
    let user: UserID
    let session: SessionID
    let lifetime: Duration?
    let place: EventPlace
}

/// Streams of the events in a user's groups.
///
/// The groups' logs decide. Each event has the number of the previous one: after a group's event n a stream sends the next
/// event after n, whether the hub offers it or the stream reads it from the log. A statement that reads events also reads the
/// group's members.
struct EventService: Sendable {
    let log: GroupLogStore
    let cursors: GroupCursors
    let renderer: EventRenderer
    let hub: EventHub
    let settings: EventSettings
    let logger: Logger

    /// - Parameter photos: finds the photos that have not expired, as every member sees them.
    init(
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

    /// - Parameter cursor: the last `id` that the client has seen; nil for future events only.
    /// - Throws: `EventError`.
    func start(_ identity: Identity, after cursor: String?) async throws -> EventStart {
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

    /// Writes the stream until it ends or `write` throws.
    func run(_ start: EventStart, write: (String) async throws -> Void) async throws {
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

    /// The field that says when the client is to reconnect. The clients of a process that ends reconnect at different times,
    /// because their queries together would be a burst for the other processes: either their streams end at different
    /// times, or their pauses differ.
    func retryField(after ending: EventStream.Ending? = nil) -> String {
        let delay =
            switch ending {
            case .shutdown where settings.endsGradually: settings.quickRetry
            case .shutdown: settings.shutdownSpread * Double.random(in: 0...1)
            default: settings.retry * Double.random(in: 0.7...1.3)
            }
        return "retry: \(Int(delay / .milliseconds(1)))\n"
    }

    private func count(_ ending: String) {
        Counter(label: "dayly_event_streams_ended_total", dimensions: [("ending", ending)]).increment()
    }

    /// Writes a stream to its client.
    private struct Outlet {
        let service: EventService
        let stream: EventStream
        let write: (String) async throws -> Void

        func serve(_ place: inout EventPlace) async throws -> EventStream.Ending {
            // From now on an interrupted client has a cursor. A message with an `id` only is not an event.
            try await write(service.retryField() + id(place) + "\n")
            while true {
                switch await stream.next() {
                case .write(let items): try await send(items, &place)
                case .read:
                    guard try await catchUp(&place) else { return .failed }
                case .hint(let texts): try await write(texts.map { $0 + "\n" }.joined())
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

        /// Reads the log from the stream's position to its end.
        ///
        /// - Returns: false if the log cannot be read or lacks events.
        private func catchUp(_ place: inout EventPlace) async throws -> Bool {
            guard let memberships = await service.memberships(of: stream.user, since: place.positions) else {
                return false
            }
            let left = place.leave(allBut: memberships)
            try await sendFarewells(from: left, &place)
            guard place.enter(memberships) else { return false }
            // Subscribe before reading the log, so that the hub offers the events that are recorded later.
            service.hub.subscribe(stream, to: place.numbers)
            var unread = place.numbers
            while !unread.isEmpty {
                guard let rest = try await sendPage(after: unread, &place) else { return false }
                unread = rest
            }
            stream.caughtUp(place.numbers)
            return true
        }

        /// - Returns: the groups with further events, each with the number after which to read; nil if the log cannot be read or
        ///   lacks events.
        private func sendPage(
            after unread: [GroupID: Int], _ place: inout EventPlace
        ) async throws -> [GroupID: Int]? {
            guard let pages = await service.events(after: unread) else { return nil }
            var rest: [GroupID: Int] = [:]
            for page in pages {
                let number = unread[page.group] ?? 0
                guard page.changes.first.map({ $0.previous <= number }) ?? true else { return nil }
                guard page.members.contains(stream.user) else {
                    service.hub.unsubscribe(stream, from: page.group)
                    try await send(page.items(for: stream.user, after: number), &place)
                    continue
                }
                try await send(page.items(for: stream.user, after: number), &place)
                if page.changes.count >= service.settings.pageSize {
                    rest[page.group] = page.changes.last?.position.number
                }
            }
            try await sendFarewells(from: Set(unread.keys).subtracting(pages.map(\.group)), &place)
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

    private func events(after numbers: [GroupID: Int]) async -> [RenderedEvents]? {
        await reading {
            try await renderer.render(try await log.events(after: numbers, limit: settings.pageSize))
        }
    }

    /// Runs a query. If it fails the stream ends, and its client reconnects later.
    private func reading<Value: Sendable>(_ body: @Sendable () async throws -> Value) async -> Value? {
        do {
            // The query runs in a task of its own: a task keeps the memory of the deepest call that it has made, and a
            // stream's task lives long.
            async let value = body()
            return try await value
        } catch {
            logger.warning("a stream of events ended", metadata: ["error": "\(String(reflecting: error))"])
            return nil
        }
    }
}
