import DaylyAPI
import Foundation

/// The one connection to `GET /v1/events`, for all readers.
actor EventConnection {
    typealias Reader = AsyncThrowingStream<DaylyEvent, any Error>.Continuation

    /// The service sends something every 15 s, so a connection that is silent for twice as long is dead.
    static let idleTimeout: Duration = .seconds(30)

    private let requests: RequestBuilder
    private let authorized: any AuthorizedTransport
    private let clock: any ClientClock
    private let random: @Sendable () -> Double
    private var readers: [UUID: Reader] = [:]
    /// The readers that have had no resync yet, because there was no connection.
    private var beginners: Set<UUID> = []
    private var running: Task<Void, Never>?
    private var isConnected = false
    /// Since the last connection that carried something.
    private var failures = 0
    private var lastEventID: String?

    init(
        requests: RequestBuilder, authorized: any AuthorizedTransport, clock: any ClientClock,
        random: @escaping @Sendable () -> Double
    ) {
        self.requests = requests
        self.authorized = authorized
        self.clock = clock
        self.random = random
    }

    func add(_ reader: Reader) {
        let id = UUID()
        readers[id] = reader
        reader.onTermination = { _ in Task { await self.remove(id) } }
        // Earlier events went to the other readers only.
        if isConnected { give(.resync, to: reader, id) } else { beginners.insert(id) }
        if running == nil && !readers.isEmpty { start() }
    }

    private func remove(_ id: UUID) {
        readers[id] = nil
        beginners.remove(id)
        guard readers.isEmpty else { return }
        running?.cancel()
        running = nil
        // A later reader begins with a resync, whatever happened in between.
        lastEventID = nil
        isConnected = false
    }

    /// Ends all readers.
    func end(_ error: DaylyError?) {
        let ended = readers.values
        readers.removeAll()
        beginners.removeAll()
        running?.cancel()
        running = nil
        lastEventID = nil
        isConnected = false
        for reader in ended { reader.finish(throwing: error) }
    }

    private func start() {
        running = Task {
            failures = 0
            while !Task.isCancelled {
                let (retry, error) = await connect()
                if Task.isCancelled { return }
                isConnected = false
                if error == .signedOut { return end(.signedOut) }
                if error != nil && error?.code != .cursorExpired { failures += 1 }
                let pause = pause(retry, error)
                if (try? await clock.sleep(for: pause)) == nil { return }
            }
        }
    }

    /// Holds one connection to its end.
    /// - Returns: the service's wait before the next connection, and the reason if the connection failed.
    private func connect() async -> (retry: Duration?, error: DaylyError?) {
        var parser = EventParser()
        var isSilent = true
        do {
            let stream = try await authorized.stream(try request())
            try Task.checkCancellation()
            isConnected = true
            greet()
            for try await piece in stream.body {
                if Task.isCancelled { break }
                failures = 0
                isSilent = false
                for message in parser.push(piece) {
                    if let event = DaylyEvent(message) { publish(event) }
                }
                // The last reader may just have left, and another may have begun anew.
                if Task.isCancelled { break }
                // Readers have the events before the cursor moves on.
                lastEventID = parser.lastEventID ?? lastEventID
            }
            // A proxy may end each stream after its head.
            return (parser.retry, isSilent ? .networkUnavailable : nil)
        } catch {
            let error = error as? DaylyError ?? .networkUnavailable
            if error.code == .cursorExpired && !Task.isCancelled {
                lastEventID = nil
                failures = 0
            }
            return (parser.retry, error)
        }
    }

    private func request() throws(DaylyError) -> TransportRequest {
        var request = try requests.request(.streamEvents)
        request.headers["Accept"] = "text/event-stream"
        request.headers["Last-Event-ID"] = lastEventID
        request.idleTimeout = Self.idleTimeout
        return request
    }

    /// Says to each reader what to fetch when a connection begins.
    private func greet() {
        let beginners = beginners
        self.beginners.removeAll()
        for (id, reader) in readers {
            // Without a cursor the stream begins now, so that everything before has to be fetched.
            // Hints are not kept, so that those of the interruption are missing in any case.
            let isAnew = lastEventID == nil || beginners.contains(id)
            give(isAnew ? .resync : .hintsMissed, to: reader, id)
        }
    }

    private func publish(_ event: DaylyEvent) {
        for (id, reader) in readers { give(event, to: reader, id) }
    }

    /// A loop may have ended before it was added here, and then its end was not noticed.
    private func give(_ event: DaylyEvent, to reader: Reader, _ id: UUID) {
        if case .terminated = reader.yield(event) { remove(id) }
    }

    /// The service's wait, spread at random, and doubled with each failure.
    private func pause(_ retry: Duration?, _ error: DaylyError?) -> Duration {
        if case .problem(let problem) = error, let seconds = problem.retryAfter {
            return .seconds(min(seconds, 300)) + .seconds(1) * random()
        }
        return RetryPolicy(
            attempts: .max, firstPause: retry ?? .seconds(1), longestPause: .seconds(60), random: random
        ).delay(attempt: failures + 1)
    }
}
