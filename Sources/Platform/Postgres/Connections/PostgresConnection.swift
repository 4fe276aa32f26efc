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
    private let handle: OpaquePointer
    private let configuration: PostgresConfiguration
    private var cache: StatementCache
    private var prepared = 0
    /// Random, so that a name that reaches another connection's session is unknown there and never means another
    /// statement.
    private let namePrefix = "dayly_\(String(UInt64.random(in: .min ... .max), radix: 16))_"
    private var isOpen = true
    private var isReadOnly = false

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
    var isLost: Bool { !isOpen || PQstatus(handle) != CONNECTION_OK }

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

    // MARK: Statements

    func run(_ sql: SQL) throws(PostgresError) -> PostgresResult {
        let arguments = try BindArguments(sql.binds)
        let key = StatementCache.Key(text: sql.text, types: sql.binds.map(\.type))
        try gate.begin(mayBeCancelled: true)
        defer { gate.end() }
        if isPooled { return try executeUnnamed(key, arguments) }
        do {
            return try execute(key, arguments)
        } catch .server(let error) where error.isStalePlan {
            cache.remove(key)
            // PostgreSQL finds a stale plan before it executes anything, so the statement may be repeated, unless the
            // error has ended a transaction.
            guard PQtransactionStatus(handle) == PQTRANS_IDLE else { throw .server(error) }
            return try execute(key, arguments)
        }
    }

    /// Runs one or several statements without parameters, and returns the last one's answer.
    @discardableResult
    func runScript(_ text: String, mayBeCancelled: Bool = true) throws(PostgresError) -> PostgresResult {
        if text.utf8.contains(0) { throw .nulInText }
        try gate.begin(mayBeCancelled: mayBeCancelled)
        defer { gate.end() }
        return try check(PQexec(handle, text))
    }

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

    /// Parses, binds and executes in one message, which a pooler sends to one session of the server. A statement that
    /// is a transaction of its own makes the settings in the same message.
    private func executeUnnamed(
        _ key: StatementCache.Key, _ arguments: BindArguments
    ) throws(PostgresError) -> PostgresResult {
        if key.text.utf8.contains(0) { throw .nulInText }
        let types = key.types.map { Oid($0.rawValue) }
        guard PQtransactionStatus(handle) == PQTRANS_IDLE else {
            let answer = arguments.withPointers { values, lengths, formats, count in
                PQexecParams(handle, key.text, count, types, values, lengths, formats, 0)
            }
            return try check(answer)
        }
        let settings = configuration.settingsStatement(isLocal: true)
        let isSent = arguments.withPointers { values, lengths, formats, count in
            // Everything before the Sync is one transaction.
            PQenterPipelineMode(handle) == 1
                && PQsendQueryParams(handle, settings, 0, nil, nil, nil, nil, 0) == 1
                && PQsendQueryParams(handle, key.text, count, types, values, lengths, formats, 0) == 1
                && PQpipelineSync(handle) == 1
        }
        defer { PQexitPipelineMode(handle) }
        return try check(isSent ? answerOfPipeline() : nil)
    }

    /// The first error, or else the last statement's answer.
    private func answerOfPipeline() -> OpaquePointer? {
        var answer: OpaquePointer?
        var ends = 0
        // A NULL ends each statement's answers. Only a lost connection gives more NULLs than there are statements.
        while ends < 4 {
            guard let result = PQgetResult(handle) else {
                ends += 1
                continue
            }
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC:
                PQclear(result)
                return answer
            case PGRES_PIPELINE_ABORTED: PQclear(result)
            default:
                if let answer, PQresultStatus(answer) == PGRES_FATAL_ERROR {
                    PQclear(result)
                } else {
                    PQclear(answer)
                    answer = result
                }
            }
        }
        return answer
    }

    private func execute(
        _ key: StatementCache.Key, _ arguments: BindArguments
    ) throws(PostgresError) -> PostgresResult {
        let name: String
        if let known = cache.name(for: key) { name = known } else { name = try prepare(key) }
        let answer = arguments.withPointers { values, lengths, formats, count in
            PQexecPrepared(handle, name, count, values, lengths, formats, 0)
        }
        return try check(answer)
    }

    private func prepare(_ key: StatementCache.Key) throws(PostgresError) -> String {
        if key.text.utf8.contains(0) { throw .nulInText }
        if let overflow = cache.overflow {
            _ = try check(PQexec(handle, "DEALLOCATE \(overflow.name)"))
            cache.remove(overflow.key)
        }
        prepared += 1
        let name = namePrefix + String(prepared)
        let types = key.types.map { Oid($0.rawValue) }
        _ = try check(PQprepare(handle, name, key.text, Int32(types.count), types))
        cache.insert(key, name: name)
        return name
    }

    private func check(_ answer: OpaquePointer?) throws(PostgresError) -> PostgresResult {
        guard let answer else { throw .unavailable(.connectionLost) }
        let result = PostgresResult(answer)
        switch result.status {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: return result
        case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE:
            // After a failover the old primary may live on as a standby. A new connection finds the new primary.
            if result.errorField("C") == "25006" { isReadOnly = true }
            throw PostgresError(result, isLost: isLost)
        default:
            // After COPY the connection speaks another protocol.
            close()
            throw .decoding("COPY is not supported")
        }
    }
}

extension PostgresError {
    /// Sorts PostgreSQL's errors: an error that is not the statement's fault is `unavailable`.
    fileprivate init(_ result: PostgresResult, isLost: Bool) {
        let state = result.errorField("C") ?? ""
        let function = result.errorField("R")
        let message = result.errorField("M") ?? "no message"
        if isLost || state.isEmpty {
            self = .unavailable(.connectionLost)
        } else if state == "57014" {
            self = .unavailable(.statementTimeout)
        } else if state == "55P03", function == "ProcessInterrupts" {
            // NOWAIT has the same code but another function; its caller asked for that error.
            self = .unavailable(.lockTimeout)
        } else if state == "25006" {
            self = .unavailable(.connecting(.takesNoWrites))
        } else if state.hasPrefix("53") {
            self = .unavailable(.lacksResources(state))
        } else {
            self = .server(
                PostgresServerError(
                    sqlState: state, message: message, detail: result.errorField("D"),
                    constraint: result.errorField("n"), table: result.errorField("t"),
                    isStalePlan: state == "26000" || state == "0A000" && function == "RevalidateCachedQuery"))
        }
    }
}

/// Parameters in the form that libpq takes.
struct BindArguments {
    private var storage: [CChar] = []
    private var offsets: [Int?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    init(_ binds: [PostgresBind]) throws(PostgresError) {
        guard binds.count <= UInt16.max else { throw .decoding("more than 65,535 parameters") }
        for bind in binds {
            switch bind.value {
            case .refused(let error): throw error
            case .null: append(nil, format: 0)
            case .text(let text): append(Array(text.utf8) + [0], format: 0)
            case .binary(let bytes): append(bytes, format: 1)
            }
        }
        // Gives an empty value at the very end an address too.
        storage.append(0)
    }

    private mutating func append(_ bytes: [UInt8]?, format: Int32) {
        offsets.append(bytes == nil ? nil : storage.count)
        lengths.append(Int32(bytes?.count ?? 0))
        formats.append(format)
        storage += (bytes ?? []).lazy.map { CChar(bitPattern: $0) }
    }

    func withPointers<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, [Int32], [Int32], Int32) -> Result
    ) -> Result {
        storage.withUnsafeBufferPointer { storage in
            let pointers = offsets.map { offset in offset.flatMap { storage.baseAddress?.advanced(by: $0) } }
            return pointers.withUnsafeBufferPointer {
                body($0.baseAddress, lengths, formats, Int32(offsets.count))
            }
        }
    }
}
