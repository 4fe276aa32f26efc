/// Decides who gets which connection, when one is opened or closed, and who has waited too long. Pure: it is told
/// what happened and at what time, and answers with what to do.
struct PoolStateMachine {
    typealias ConnectionID = Int
    typealias RequestID = Int
    typealias Instant = ContinuousClock.Instant

    enum Action: Equatable {
        /// Start connecting, after a pause.
        case open(ConnectionID, after: Duration)
        case run(RequestID, on: ConnectionID)
        case close(ConnectionID)
        case fail(RequestID, PostgresError)
        /// Shut down, and the last connection is gone.
        case finish
    }

    struct Limits {
        var maxConnections: Int
        var maxWaiting = 1_000
        var acquireTimeout: Duration
        var idleTimeout: Duration
        /// How long connecting may fail before those who wait are told.
        var connectPatience: Duration = .seconds(2)
    }

    private enum Connection: Equatable {
        case connecting
        case idle(since: Instant)
        case busy(Waiter)
        case closing
    }

    private struct Waiter: Equatable {
        let request: RequestID
        let deadline: Instant
    }

    private static let slow = PostgresError.unavailable(.connectingTooSlow)

    private let limits: Limits
    private var connections: [ConnectionID: Connection] = [:]
    /// The last one used comes first again: the rest may grow old and be closed.
    private var idle: [ConnectionID] = []
    private var waiting: [Waiter] = []
    private var nextConnection = 0
    private var isShutDown = false
    private var failingSince: Instant?
    private var failures = 0
    private var failure = PoolStateMachine.slow

    init(_ limits: Limits) { self.limits = limits }

    var inUse: Int {
        connections.values.count { if case .busy = $0 { true } else { false } }
    }
    var waitingCount: Int { waiting.count }
    var connectionCount: Int { connections.count }

    // MARK: requests

    mutating func request(_ request: RequestID, now: Instant) -> [Action] {
        if isShutDown { return [.fail(request, .unavailable(.clientClosed))] }
        let waiter = Waiter(request: request, deadline: now + limits.acquireTimeout)
        if let connection = idle.popLast() {
            connections[connection] = .busy(waiter)
            return [.run(request, on: connection)]
        }
        if waiting.count >= limits.maxWaiting { return [.fail(request, .acquireTimeout)] }
        waiting.append(waiter)
        return openWhereNeeded()
    }

    /// A request that no longer wants a connection. Nothing where it has one already.
    mutating func cancel(_ request: RequestID) -> [Action] {
        guard let index = waiting.firstIndex(where: { $0.request == request }) else { return [] }
        waiting.remove(at: index)
        return [.fail(request, .unavailable(.cancelled))]
    }

    /// Ends waits that are over and connections that nobody has used for long. To be called now and then.
    mutating func tick(now: Instant) -> [Action] {
        var actions: [Action] = []
        let overdue = waiting.prefix { $0.deadline <= now }
        let reason = inUse > 0 ? PostgresError.acquireTimeout : failure
        actions += overdue.map { .fail($0.request, reason) }
        waiting.removeFirst(overdue.count)
        for connection in idle {
            guard case .idle(let since)? = connections[connection], now - since >= limits.idleTimeout else {
                continue
            }
            actions.append(close(connection))
        }
        return actions
    }

    // MARK: connections

    mutating func connected(_ connection: ConnectionID, now: Instant) -> [Action] {
        failingSince = nil
        failures = 0
        failure = Self.slow
        return settle(connection, now: now) + openWhereNeeded()
    }

    /// One attempt goes on while somebody waits; after `connectPatience` every failure is told to all of them.
    mutating func connectFailed(
        _ connection: ConnectionID, _ error: PostgresError, now: Instant
    ) -> [Action] {
        connections[connection] = nil
        let since = failingSince ?? now
        failingSince = since
        failure = error
        failures += 1
        guard isShutDown || now - since >= limits.connectPatience else { return openWhereNeeded() }
        defer { waiting.removeAll() }
        return waiting.map { .fail($0.request, error) } + finishIfDone()
    }

    /// The request on that connection is done.
    mutating func finished(_ connection: ConnectionID, broken: Bool, now: Instant) -> [Action] {
        guard broken else { return settle(connection, now: now) }
        connections[connection] = nil
        return openWhereNeeded() + finishIfDone()
    }

    /// The server had hung up before the request began, which therefore comes first again.
    mutating func foundDead(_ connection: ConnectionID) -> [Action] {
        guard case .busy(let waiter)? = connections.removeValue(forKey: connection) else { return [] }
        if isShutDown {
            return [.fail(waiter.request, .unavailable(.clientClosed))] + finishIfDone()
        }
        waiting.insert(waiter, at: 0)
        return openWhereNeeded()
    }

    mutating func closed(_ connection: ConnectionID) -> [Action] {
        connections[connection] = nil
        return openWhereNeeded() + finishIfDone()
    }

    /// Nobody new is let in; who has a connection may finish.
    mutating func shutDown() -> [Action] {
        if isShutDown { return [] }
        isShutDown = true
        var actions: [Action] = waiting.map { .fail($0.request, .unavailable(.clientClosed)) }
        waiting.removeAll()
        for connection in idle { actions.append(close(connection)) }
        return actions + finishIfDone()
    }

    // MARK: within

    private mutating func settle(_ connection: ConnectionID, now: Instant) -> [Action] {
        if isShutDown {
            connections[connection] = .closing
            return [.close(connection)]
        }
        if waiting.isEmpty {
            connections[connection] = .idle(since: now)
            idle.append(connection)
            return []
        }
        let waiter = waiting.removeFirst()
        connections[connection] = .busy(waiter)
        return [.run(waiter.request, on: connection)]
    }

    private mutating func close(_ connection: ConnectionID) -> Action {
        idle.removeAll { $0 == connection }
        connections[connection] = .closing
        return .close(connection)
    }

    /// One connection for each who waits, up to the limit; a single one while connecting fails.
    private mutating func openWhereNeeded() -> [Action] {
        var connecting = connections.values.count { $0 == .connecting }
        var actions: [Action] = []
        let wanted = failures == 0 ? waiting.count : min(waiting.count, 1)
        while connecting < wanted, connections.count < limits.maxConnections {
            nextConnection += 1
            connections[nextConnection] = .connecting
            connecting += 1
            actions.append(.open(nextConnection, after: pause))
        }
        return actions
    }

    private var pause: Duration {
        failures == 0 ? .zero : min(.milliseconds(10 << min(failures, 10)), .milliseconds(250))
    }

    private func finishIfDone() -> [Action] { isShutDown && connections.isEmpty ? [.finish] : [] }
}
