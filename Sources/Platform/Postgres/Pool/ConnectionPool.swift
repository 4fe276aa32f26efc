import Foundation
import Logging
import Metrics
import Synchronization

/// Carries out the actions of `PoolStateMachine`: opens and closes connections, and runs and fails requests.
final class ConnectionPool: Sendable {
    private struct State {
        var machine: PoolStateMachine
        var jobs: [PoolStateMachine.RequestID: PoolJob] = [:]
        var workers: [PoolStateMachine.ConnectionID: ConnectionWorker] = [:]
        /// The connection that runs each request, so that a cancelled request can be cancelled there.
        var serving: [PoolStateMachine.RequestID: PoolStateMachine.ConnectionID] = [:]
        var isFailing = false
        var isFinished = false
        var awaitingFinish: [CheckedContinuation<Void, Never>] = []
    }

    let configuration: PostgresConfiguration
    private let logger: Logger
    private let state: Mutex<State>
    private let nextRequest = Atomic(0)
    private let epoch = Atomic(0)
    private let inUseGauge: Gauge
    private let sizeGauge: Gauge
    private let waitingGauge: Gauge
    private let refusals: Counter
    private let acquireTimer: Timer
    private let serversLeft: Counter
    private let onLostServer: @Sendable () -> Void

    /// - Parameter onLostServer: called on a connection's thread when the pool leaves a server that was lost or takes no
    ///   more writes.
    init(configuration: PostgresConfiguration, logger: Logger, onLostServer: @escaping @Sendable () -> Void) {
        self.configuration = configuration
        self.logger = logger
        self.onLostServer = onLostServer
        let limits = PoolStateMachine.Limits(
            maxConnections: max(1, configuration.maxConnections), maxWaiting: configuration.maxWaiting,
            acquireTimeout: configuration.acquireTimeout,
            idleTimeout: configuration.idleTimeout)
        state = Mutex(State(machine: PoolStateMachine(limits)))
        let pool = [("pool", configuration.poolName)]
        inUseGauge = Gauge(label: "dayly_postgres_pool_in_use", dimensions: pool)
        sizeGauge = Gauge(label: "dayly_postgres_pool_size", dimensions: pool)
        waitingGauge = Gauge(label: "dayly_postgres_pool_waiting", dimensions: pool)
        refusals = Counter(label: "dayly_postgres_refused_total", dimensions: pool)
        acquireTimer = Timer(label: "dayly_postgres_acquire_seconds", dimensions: pool)
        refusals.increment(by: 0)
        serversLeft = Counter(label: "dayly_postgres_servers_left_total", dimensions: pool)
        serversLeft.increment(by: 0)
        Gauge(label: "dayly_postgres_pool_limit", dimensions: pool).record(limits.maxConnections)
    }

    /// Starts the thread that enforces the deadlines of waits and statements until the pool is shut down.
    func startWatching() {
        let shortest =
            [configuration.acquireTimeout, configuration.statementTimeout, .seconds(2)]
            .filter { $0 > .zero }.min() ?? .seconds(2)
        let period = min(max(shortest / 10, .milliseconds(10)), .milliseconds(200))
        let thread = Thread { [weak self] in
            while self?.watch() == true { usleep(UInt32(period.wholeMilliseconds) * 1000) }
        }
        thread.name = "postgres-watch"
        thread.start()
    }

    private func watch() -> Bool {
        let now = ContinuousClock.now
        perform { $0.machine.tick(now: now) }
        let (workers, isFinished) = state.withLock { (Array($0.workers.values), $0.isFinished) }
        for worker in workers {
            worker.gate?.enforce(statementTimeout: configuration.statementTimeout, now: now)
        }
        return !isFinished
    }

    // MARK: For callers

    /// Runs `body` on a connection's thread as soon as a connection is free.
    func withConnection<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await asking { continuation in
            .alone { connection in
                let result = Result { try body(connection) }
                return { continuation.resume(with: result) }
            }
        }
    }

    /// Reads as soon as a connection is free, in one message with other callers.
    func read(_ readings: [Reading]) async throws -> [[PostgresRow]] {
        try await asking { continuation in .read(readings) { continuation.resume(with: $0) } }
    }

    private func asking<Value: Sendable>(
        for work: (CheckedContinuation<Value, any Error>) -> PoolJob.Work
    ) async throws -> Value {
        let request = PoolRequest(id: nextRequest.add(1, ordering: .relaxed).newValue)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                submit(
                    PoolJob(
                        request: request, work: work(continuation),
                        fail: { continuation.resume(throwing: $0) }))
            }
        } onCancel: {
            cancel(request)
        }
    }

    private func submit(_ job: PoolJob) {
        perform { state in
            state.jobs[job.request.id] = job
            // `cancel` takes the same lock: either it finds the request here, or this line finds it cancelled.
            if job.request.isCancelled { return [.fail(job.request.id, .unavailable(.cancelled))] }
            return state.machine.request(job.request.id, isRead: job.isRead, now: .now)
        }
    }

    private func cancel(_ request: PoolRequest) {
        var gate: StatementGate?
        perform { state in
            request.cancel()
            gate = state.serving[request.id].flatMap { state.workers[$0]?.gate }
            return state.machine.cancel(request.id)
        }
        gate?.cancel(request)
    }

    func shutDown() { perform { $0.machine.shutDown() } }

    /// Shuts the pool down and returns when the last connection is closed.
    func finish() async {
        shutDown()
        await withCheckedContinuation { continuation in
            let isFinished = state.withLock { state in
                if !state.isFinished { state.awaitingFinish.append(continuation) }
                return state.isFinished
            }
            if isFinished { continuation.resume() }
        }
    }

    /// Raised whenever a connection finds a stale plan. Every connection then forgets its prepared statements.
    var planEpoch: Int { epoch.load(ordering: .acquiring) }
    func raisePlanEpoch() { epoch.add(1, ordering: .acquiringAndReleasing) }

    // MARK: For workers

    func connected(_ id: PoolStateMachine.ConnectionID) {
        var hasRecovered = false
        perform { state in
            hasRecovered = state.isFailing
            state.isFailing = false
            return state.machine.connected(id, now: .now)
        }
        if hasRecovered { logger.notice("connected to the database again") }
    }

    func connectFailed(_ id: PoolStateMachine.ConnectionID, _ error: PostgresError) {
        var isNew = false
        perform { state in
            isNew = !state.isFailing
            state.isFailing = true
            state.workers[id] = nil
            return state.machine.connectFailed(id, error, now: .now)
        }
        if isNew { logger.error("cannot connect to the database", metadata: ["error": "\(error)"]) }
    }

    func finished(
        _ id: PoolStateMachine.ConnectionID, _ jobs: [PoolJob], broken: Bool, hasLostServer: Bool
    ) {
        var isNew = false
        perform { state in
            for job in jobs {
                state.serving[job.request.id] = nil
                state.jobs[job.request.id] = nil
            }
            if broken { state.workers[id] = nil }
            isNew = hasLostServer && !state.machine.isOutdated(id)
            let closing = isNew ? state.machine.lostServer(by: id) : []
            return closing + state.machine.finished(id, broken: broken, now: .now)
        }
        guard isNew else { return }
        logger.notice("the database's server ended or takes no more writes: closing the connections to it")
        serversLeft.increment()
        onLostServer()
    }

    func foundDead(_ id: PoolStateMachine.ConnectionID) {
        perform { state in
            state.workers[id] = nil
            return state.machine.foundDead(id, now: .now)
        }
    }

    func closed(_ id: PoolStateMachine.ConnectionID) {
        perform { state in
            state.workers[id] = nil
            return state.machine.closed(id, now: .now)
        }
    }

    func recordWait(of request: PoolRequest) {
        acquireTimer.record(duration: .now - request.submittedAt)
    }

    // MARK: Carrying out actions

    private func perform(_ decide: (inout State) -> [PoolStateMachine.Action]) {
        let (effects, machine) = state.withLock { state in
            let effects = decide(&state).map { effect(of: $0, &state) }
            return (
                effects, (state.machine.inUse, state.machine.connectionCount, state.machine.waitingCount)
            )
        }
        inUseGauge.record(machine.0)
        sizeGauge.record(machine.1)
        waitingGauge.record(machine.2)
        for effect in effects { effect() }
    }

    /// Does the part of an action that needs the lock, and returns the part that must run without it.
    private func effect(of action: PoolStateMachine.Action, _ state: inout State) -> @Sendable () -> Void {
        switch action {
        case .open(let id, let pause):
            let worker = ConnectionWorker(id: id)
            state.workers[id] = worker
            return { worker.start(in: self, after: pause) }
        case .run(let requests, let id):
            guard let worker = state.workers[id] else { return {} }
            let jobs = requests.compactMap { state.jobs[$0] }
            for request in requests { state.serving[request] = id }
            return { worker.run(jobs) }
        case .close(let id):
            let worker = state.workers[id]
            return { worker?.close() }
        case .fail(let request, let error):
            let job = state.jobs.removeValue(forKey: request)
            state.serving[request] = nil
            if error == .acquireTimeout { refusals.increment() }
            return { job?.fail(error) }
        case .finish:
            state.isFinished = true
            let waiting = state.awaitingFinish
            state.awaitingFinish.removeAll()
            return { for continuation in waiting { continuation.resume() } }
        }
    }
}
