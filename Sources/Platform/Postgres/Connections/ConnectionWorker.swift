import Dispatch
import Foundation
import Synchronization

/// Work for a connection's thread.
struct PoolJob: Sendable {
    enum Work: Sendable {
        /// Returns a closure that resumes the caller, to be called when the connection is free again.
        case alone(@Sendable (PostgresConnection) -> @Sendable () -> Void)
        /// The readings of one caller, and what resumes it.
        case read([Reading], @Sendable (Result<[[PostgresRow]], PostgresError>) -> Void)
    }

    let request: PoolRequest
    let work: Work
    let fail: @Sendable (PostgresError) -> Void

    var isRead: Bool { if case .read = work { true } else { false } }

    /// Runs one job, or several that only read.
    ///
    /// - Returns: a closure that resumes the callers, to be called when the connection is free again.
    static func run(_ jobs: [PoolJob], on connection: PostgresConnection) -> () -> Void {
        var callers: [[Reading]] = []
        var resumes: [@Sendable (Result<[[PostgresRow]], PostgresError>) -> Void] = []
        for job in jobs {
            switch job.work {
            case .alone(let body): return body(connection)
            case .read(let readings, let resume):
                callers.append(readings)
                resumes.append(resume)
            }
        }
        let results = connection.run(callers)
        return { for (resume, result) in zip(resumes, results) { resume(result) } }
    }
}

/// A thread with one connection. It reports the connection's fate to the pool and ends with the connection.
final class ConnectionWorker: Sendable {
    private enum Message {
        case run([PoolJob])
        case close
    }

    private let id: PoolStateMachine.ConnectionID
    private let inbox = Mutex<Message?>(nil)
    private let wakeUp = DispatchSemaphore(value: 0)
    private let openGate = Mutex<StatementGate?>(nil)

    init(id: PoolStateMachine.ConnectionID) { self.id = id }

    var gate: StatementGate? { openGate.withLock { $0 } }

    /// - Parameter jobs: one, or several that only read.
    func run(_ jobs: [PoolJob]) { send(.run(jobs)) }
    func close() { send(.close) }

    private func send(_ message: Message) {
        inbox.withLock { $0 = message }
        wakeUp.signal()
    }

    func start(in pool: ConnectionPool, after pause: Duration) {
        let thread = Thread { [self] in main(pool, pause) }
        thread.name = "postgres-\(id)"
        thread.start()
    }

    private func main(_ pool: ConnectionPool, _ pause: Duration) {
        if pause > .zero { usleep(UInt32(pause.wholeMilliseconds) * 1000) }
        do {
            let connection = try PostgresConnection(configuration: pool.configuration)
            openGate.withLock { $0 = connection.gate }
            pool.connected(id)
            serve(connection, pool)
        } catch {
            pool.connectFailed(id, error)
        }
    }

    private func serve(_ connection: PostgresConnection, _ pool: ConnectionPool) {
        var planEpoch = pool.planEpoch
        while true {
            wakeUp.wait()
            let message = inbox.withLock { $0.take() }
            guard case .run(let jobs)? = message else {
                connection.close()
                return pool.closed(id)
            }
            if planEpoch != pool.planEpoch {
                planEpoch = pool.planEpoch
                try? connection.forgetStatements()
            }
            if connection.isDead() {
                connection.close()
                return pool.foundDead(id)
            }
            for job in jobs { pool.recordWait(of: job.request) }
            connection.gate.enter(jobs.map(\.request))
            let resumeCallers = PoolJob.run(jobs, on: connection)
            connection.gate.leave()
            // On a busy processor the threads that handle requests run first, and their reads share the next message. That
            // takes a third to a half off PostgreSQL's time for short reads (`scripts/bench read`). On an idle processor this
            // returns at once.
            if jobs[0].isRead { sched_yield() }
            let isReusable = connection.isReusable
            let hasLostServer = connection.hasLostServer
            if !isReusable { connection.close() }
            pool.finished(id, jobs, broken: !isReusable, hasLostServer: hasLostServer)
            resumeCallers()
            if !isReusable { return }
        }
    }
}
