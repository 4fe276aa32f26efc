import CPostgres
import Glibc

/// A connection and its prepared statements. Its calls block, so it lives on one thread of its own; other threads may
/// use its `gate` only.
///
/// Behind a pooler the next transaction may run in another session of the server. So the connection leaves nothing in a
/// session there: statements have no names, and each transaction makes its own settings.
final class PostgresConnection {
    let gate: StatementGate
    /// The signals of the running transaction.
    let signals = PendingSignals()
    private let signalsReceiver: CommitSignals
    /// Whether a pooler, or another proxy with sessions of its own, answers instead of the server.
    private(set) var isPooled = false
    let handle: OpaquePointer
    let configuration: PostgresConfiguration
    var cache: StatementCache
    private var prepared = 0
    /// Random, so that a name that reaches another connection's session is unknown there and never means another
    /// statement.
    private let namePrefix = "dayly_\(String(UInt64.random(in: .min ... .max), radix: 16))_"
    private var isOpen = true
    /// Whether the server refused a write. After a failover the old primary may live on as a standby.
    private(set) var isReadOnly = false
    /// Whether the server said that it ends the session.
    private var isEnding = false

    init(configuration: PostgresConfiguration) throws(PostgresError) {
        guard let handle = ConnectionParameters(configuration).connect() else {
            throw .unavailable(.lacksOwnResources)
        }
        guard PQstatus(handle) == CONNECTION_OK else {
            let failure = ConnectFailure(libpq: String(cString: PQerrorMessage(handle)))
            PQfinish(handle)
            throw .unavailable(.connecting(failure))
        }
        signals.receive(from: handle)
        self.handle = handle
        signalsReceiver = configuration.signals
        self.configuration = configuration
        cache = StatementCache(capacity: configuration.maxPreparedStatements)
        gate = StatementGate(socket: PQsocket(handle), ticket: CancelTicket(connection: handle))
        do {
            try prepareSession()
        } catch {
            close()
            throw error
        }
    }

    deinit { close() }

    func close() {
        guard isOpen else { return }
        isOpen = false
        gate.willClose()
        PQfinish(handle)
    }

    /// Whether the server has closed the connection, or its state cannot be trusted.
    var isLost: Bool { !isOpen || isEnding || PQstatus(handle) != CONNECTION_OK }

    /// Whether this connection shows that its server is of no use any more, so that others to it should be closed too.
    var hasLostServer: Bool { isReadOnly || isLost }

    /// Notes what an error says about the server. A new connection finds the new primary.
    func noteServerState(_ sqlState: String?) {
        switch sqlState {
        case "25006": isReadOnly = true
        // It shuts down, crashed, or takes no connections.
        case "57P01", "57P02", "57P03": isEnding = true
        default: break
        }
    }

    /// Whether the connection may serve the next request.
    var isReusable: Bool {
        !isLost && !gate.isPoisoned && !isReadOnly && PQtransactionStatus(handle) == PQTRANS_IDLE
    }

    var isInTransaction: Bool { PQtransactionStatus(handle) == PQTRANS_INTRANS }
    var isInFailedTransaction: Bool { PQtransactionStatus(handle) == PQTRANS_INERROR }

    /// Checks, without waiting, whether the server closed the connection while it was idle. Unread bytes count as
    /// closed: the server sends a last message before it closes. The only other unasked message, a changed setting, is
    /// rare.
    func isDead() -> Bool {
        if isLost { return true }
        var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, 0) != 0
    }

    /// Drops all prepared statements, because their plans may belong to an older schema.
    func forgetStatements() throws(PostgresError) {
        guard cache.count > 0 else { return }
        try runScript("DEALLOCATE ALL")
        cache.removeAll()
    }

    /// Waits for notifications on the channels that this connection listens to.
    ///
    /// - Returns: false when the stop signal was raised.
    func waitForNotifications(
        or stop: StopSignal, _ yield: (String) -> Void
    ) throws(PostgresError) -> Bool {
        while let notification = PQnotifies(handle) {
            yield(notification.pointee.extra.map { String(cString: $0) } ?? "")
            PQfreemem(notification)
        }
        guard stop.waitFor(PQsocket(handle), milliseconds: -1) else { return !stop.isRaised }
        guard PQconsumeInput(handle) == 1, !isLost else {
            throw .unavailable(.connectionLost)
        }
        return true
    }

    /// Delivers the transaction's signals to their subscribers after the commit.
    func sendSignals() { signalsReceiver.send(signals.take()) }

    /// A name that no other prepared statement has.
    func nextStatementName() -> String {
        prepared += 1
        return namePrefix + String(prepared)
    }

    // MARK: Transactions and sessions

    /// Begins a transaction in READ COMMITTED.
    func begin() throws(PostgresError) {
        var script = "BEGIN ISOLATION LEVEL READ COMMITTED"
        if isPooled { script += "; " + configuration.settingsStatement(isLocal: true) }
        try runScript(script)
    }

    /// The server process that serves the connection now. Behind a pooler another one may serve the next statement.
    func serverProcess() throws(PostgresError) -> Int32 {
        try runScript("SELECT pg_backend_pid() AS pid").serverProcess
    }

    /// Detects a pooler, and makes the session's settings when there is none. A server names its own process when a
    /// session begins; a pooler names another number, because it does not know yet which process will serve.
    private func prepareSession() throws(PostgresError) {
        let deadline = ContinuousClock.now + configuration.connectTimeout
        let process = try runFirst("SELECT pg_backend_pid() AS pid", until: deadline)?.serverProcess
        isPooled = process != PQbackendPID(handle)
        guard !isPooled else { return }
        _ = try runFirst(configuration.settingsStatement(isLocal: false), until: deadline)
    }

    /// Runs a statement with a time limit of its own, because the statement timeout is not set yet in a new session. A
    /// server that accepts a connection and then says nothing must not hold a place in the pool.
    private func runFirst(
        _ text: String, until deadline: ContinuousClock.Instant
    ) throws(PostgresError) -> PostgresResult? {
        guard PQsendQuery(handle, text) == 1 else {
            throw .unavailable(.connectionLost)
        }
        var last: PostgresResult?
        while true {
            while PQisBusy(handle) != 0 {
                let left = max(.zero, deadline - .now).wholeMilliseconds
                var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
                guard left > 0, poll(&descriptor, 1, Int32(clamping: left)) >= 0 else {
                    throw .unavailable(.noAnswer)
                }
                guard PQconsumeInput(handle) == 1 else {
                    throw .unavailable(.connectionLost)
                }
            }
            guard let answer = PQgetResult(handle) else { return last }
            last = try check(answer)
        }
    }
}
