import Resilience

/// Decides which request gets which connection, when a connection is opened or closed, and which request has waited too
/// long. Pure: each transition takes an event and its time, and returns the actions that the pool must carry out.
struct PoolStateMachine {
    typealias ConnectionID = Int
    typealias RequestID = Int
    typealias Instant = ContinuousClock.Instant

    enum Action: Equatable {
        /// Start to connect after a pause.
        case open(ConnectionID, after: Duration)
        /// One request, or several that only read.
        case run([RequestID], on: ConnectionID)
        case close(ConnectionID)
        case fail(RequestID, PostgresError)
        /// The shutdown is complete: the last connection is closed.
        case finish
    }

    struct Limits {
        var maxConnections: Int
        var maxWaiting = 1_000
        var acquireTimeout: Duration
        var idleTimeout: Duration
        /// The time for which connecting may fail before waiting requests get the error.
        var connectPatience: Duration = .seconds(2)
        /// One connection runs all reads, because reads that share a message cost PostgreSQL and the service much less. When
        /// it has not answered for this time, or a read has waited for this time, the next reads get another connection.
        var readPatience: Duration = .milliseconds(20)
        /// The largest number of reads in one message. The first waits for the answer to the last.
        var maxReadsTogether = 32
    }

    private enum Connection: Equatable {
        /// A worker tries to connect. Becomes idle or busy, or is removed when the attempt fails.
        case connecting
        /// Waits for a request. Becomes busy, or closing after `idleTimeout` or at shutdown.
        case idle(since: Instant)
        /// Runs a request, or several that only read. Becomes idle, busy with the next request, or closing at shutdown; a
        /// broken one is removed.
        case busy([Waiter], since: Instant)
        /// Its worker closes it. It is removed when that is done.
        case closing
    }

    private struct Waiter: Equatable {
        let request: RequestID
        /// Whether it only reads, so that it may run together with other reads.
        let isRead: Bool
        let since: Instant
    }

    /// Without jitter, because each pool has only one attempt at a time.
    private static let backoff = Backoff(first: .milliseconds(20), longest: .milliseconds(250), jitter: 0)
    private static let slow = PostgresError.unavailable(.connectingTooSlow)

    private let limits: Limits
    private var connections: [ConnectionID: Connection] = [:]
    /// The connection used last is at the end and is used again first, so that spare connections grow old and are
    /// closed.
    private var idle: [ConnectionID] = []
    private var waiting: [Waiter] = []
    /// Busy connections to a server that was lost. They are closed when their requests end.
    private var outdated: Set<ConnectionID> = []
    private var nextConnection = 0
    private var isShutDown = false
    private var failingSince: Instant?
    /// Failed attempts to connect, in a row.
    private var failures = 0
    /// The error for requests that wait in vain.
    private var failure = PoolStateMachine.slow

    init(_ limits: Limits) { self.limits = limits }

    var inUse: Int {
        connections.values.count { if case .busy = $0 { true } else { false } }
    }
    /// Whether a busy connection will take a waiting request when it is done.
    private var isServed: Bool {
        connections.contains { id, state in
            if case .busy = state { !outdated.contains(id) } else { false }
        }
    }
    var waitingCount: Int { waiting.count }
    var connectionCount: Int { connections.count }

    // MARK: Requests

    /// - Parameter isRead: the request only reads, so it may run together with other reads.
    mutating func request(_ request: RequestID, isRead: Bool = false, now: Instant) -> [Action] {
        if isShutDown { return [.fail(request, .unavailable(.clientClosed))] }
        waiting.append(Waiter(request: request, isRead: isRead, since: now))
        // The connection that reads takes this read with its next message.
        if isRead, !needsReader(now: now), waiting.count <= limits.maxWaiting { return [] }
        let actions = runWaiting(now: now)
        if waiting.count > limits.maxWaiting {
            waiting.removeLast()
            return actions + [.fail(request, .acquireTimeout)]
        }
        return actions + openWhereNeeded(now: now)
    }

    /// Removes a request from the queue. Has no effect when it has a connection already.
    mutating func cancel(_ request: RequestID) -> [Action] {
        guard let index = waiting.firstIndex(where: { $0.request == request }) else { return [] }
        waiting.remove(at: index)
        return [.fail(request, .unavailable(.cancelled))]
    }

    /// Fails requests that have waited too long, gives reads that have waited for `readPatience` a connection, and closes
    /// connections that were idle too long. The owner calls it several times a second.
    mutating func tick(now: Instant) -> [Action] {
        var actions: [Action] = []
        let overdue = waiting.prefix { now - $0.since >= limits.acquireTimeout }
        let reason = inUse > 0 ? PostgresError.acquireTimeout : failure
        actions += overdue.map { .fail($0.request, reason) }
        waiting.removeFirst(overdue.count)
        actions += runWaiting(now: now) + openWhereNeeded(now: now)
        for connection in idle {
            guard case .idle(let since)? = connections[connection], now - since >= limits.idleTimeout else {
                continue
            }
            actions.append(close(connection))
        }
        return actions
    }

    // MARK: Connections

    mutating func connected(_ connection: ConnectionID, now: Instant) -> [Action] {
        failingSince = nil
        failures = 0
        failure = Self.slow
        return settle(connection, now: now) + openWhereNeeded(now: now)
    }

    /// One attempt to connect continues while requests wait. After `connectPatience` each failure fails all waiting
    /// requests, unless one of the busy connections may soon take them.
    mutating func connectFailed(
        _ connection: ConnectionID, _ error: PostgresError, now: Instant
    ) -> [Action] {
        connections[connection] = nil
        let since = failingSince ?? now
        failingSince = since
        failure = error
        failures += 1
        guard isShutDown || !isServed && now - since >= limits.connectPatience else {
            return openWhereNeeded(now: now)
        }
        defer { waiting.removeAll() }
        return waiting.map { .fail($0.request, error) } + finishIfDone()
    }

    /// Whether the connection belongs to a server that was lost before.
    func isOutdated(_ connection: ConnectionID) -> Bool { outdated.contains(connection) }

    /// This connection found that its server ended or takes no more writes, so the others to it are closed: idle ones now,
    /// busy ones when their requests end. Connections that are being made find a server that takes writes by themselves.
    mutating func lostServer(by finder: ConnectionID) -> [Action] {
        outdated.formUnion(
            connections.compactMap { id, state in
                if case .busy = state { id == finder ? nil : id } else { nil }
            })
        return idle.map { close($0) }
    }

    /// The request on this connection is done.
    mutating func finished(_ connection: ConnectionID, broken: Bool, now: Instant) -> [Action] {
        let isOutdated = outdated.remove(connection) != nil
        guard broken else {
            if isOutdated { return [close(connection)] }
            // The server answers, so a later failure begins anew.
            failingSince = nil
            failure = Self.slow
            return settle(connection, now: now)
        }
        connections[connection] = nil
        return openWhereNeeded(now: now) + finishIfDone()
    }

    /// The server had closed the connection before its requests began, so they go to the head of the queue.
    mutating func foundDead(_ connection: ConnectionID, now: Instant) -> [Action] {
        guard case .busy(let waiters, _)? = connections.removeValue(forKey: connection) else { return [] }
        outdated.remove(connection)
        if isShutDown {
            return waiters.map { .fail($0.request, .unavailable(.clientClosed)) } + finishIfDone()
        }
        waiting.insert(contentsOf: waiters, at: 0)
        return openWhereNeeded(now: now)
    }

    mutating func closed(_ connection: ConnectionID, now: Instant) -> [Action] {
        connections[connection] = nil
        return openWhereNeeded(now: now) + finishIfDone()
    }

    /// Refuses new and waiting requests. Requests that have a connection may finish.
    mutating func shutDown() -> [Action] {
        if isShutDown { return [] }
        isShutDown = true
        var actions: [Action] = waiting.map { .fail($0.request, .unavailable(.clientClosed)) }
        waiting.removeAll()
        for connection in idle { actions.append(close(connection)) }
        return actions + finishIfDone()
    }

    // MARK: Internals

    /// Gives a free connection to the next waiting requests, or keeps it idle.
    private mutating func settle(_ connection: ConnectionID, now: Instant) -> [Action] {
        if isShutDown {
            connections[connection] = .closing
            return [.close(connection)]
        }
        connections[connection] = .idle(since: now)
        idle.append(connection)
        return runWaiting(now: now)
    }

    /// Gives the idle connections to waiting requests.
    private mutating func runWaiting(now: Instant) -> [Action] {
        var actions: [Action] = []
        while let connection = idle.last {
            let next = takeNext(now: now)
            if next.isEmpty { break }
            idle.removeLast()
            connections[connection] = .busy(next, since: now)
            actions.append(.run(next.map(\.request), on: connection))
        }
        return actions
    }

    /// Takes the request that may run next from the queue; with a read all others, up to the limit.
    private mutating func takeNext(now: Instant) -> [Waiter] {
        let isReading = isReading(now: now)
        guard let index = waiting.firstIndex(where: { !$0.isRead || !isReading || isOld($0.since, now) })
        else {
            return []
        }
        guard waiting[index].isRead else { return [waiting.remove(at: index)] }
        let most = limits.maxReadsTogether
        var reads: [Waiter] = []
        waiting.removeAll { waiter in
            guard waiter.isRead, reads.count < most else { return false }
            reads.append(waiter)
            return true
        }
        return reads
    }

    /// Whether a connection runs reads and will soon have their answers.
    private func isReading(now: Instant) -> Bool {
        connections.values.contains { state in
            if case .busy(let waiters, let since) = state {
                waiters[0].isRead && !isOld(since, now)
            } else {
                false
            }
        }
    }

    private func isOld(_ since: Instant, _ now: Instant) -> Bool { now - since >= limits.readPatience }

    private mutating func close(_ connection: ConnectionID) -> Action {
        idle.removeAll { $0 == connection }
        connections[connection] = .closing
        return .close(connection)
    }

    /// Opens one connection for each waiting request that needs its own, up to the limit; only one at a time while connecting
    /// fails.
    private mutating func openWhereNeeded(now: Instant) -> [Action] {
        if waiting.isEmpty { return [] }
        var connecting = connections.values.count { $0 == .connecting }
        var actions: [Action] = []
        let wanted = failures == 0 ? connectionsWanted(now: now) : min(waiting.count, 1)
        while connecting < wanted, connections.count < limits.maxConnections {
            nextConnection += 1
            connections[nextConnection] = .connecting
            connecting += 1
            actions.append(.open(nextConnection, after: pause))
        }
        return actions
    }

    private func connectionsWanted(now: Instant) -> Int {
        waiting.count { !$0.isRead } + (needsReader(now: now) ? 1 : 0)
    }

    /// Whether reads wait that no connection will soon take.
    private func needsReader(now: Instant) -> Bool {
        guard let read = waiting.first(where: \.isRead) else { return false }
        return !isReading(now: now) || isOld(read.since, now)
    }

    private var pause: Duration {
        failures == 0 ? .zero : Self.backoff.pause(afterFailures: failures)
    }

    private func finishIfDone() -> [Action] { isShutDown && connections.isEmpty ? [.finish] : [] }
}
