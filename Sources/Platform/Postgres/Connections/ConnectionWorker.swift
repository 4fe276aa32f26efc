import Dispatch
import Foundation
import Synchronization

/// Work for a connection's thread.
struct PoolJob: Sendable {
    let request: PoolRequest
    /// Returns a closure that resumes the caller, to be called when the connection is free again.
    let run: @Sendable (PostgresConnection) -> @Sendable () -> Void
    let fail: @Sendable (PostgresError) -> Void
}

/// A thread with one connection. It reports the connection's fate to the pool and ends with the connection.
final class ConnectionWorker: Sendable {
    private enum Message {
        case run(PoolJob)
        case close
    }

    private let id: PoolStateMachine.ConnectionID
    private let inbox = Mutex<Message?>(nil)
    private let wakeUp = DispatchSemaphore(value: 0)
    private let openGate = Mutex<StatementGate?>(nil)

    init(id: PoolStateMachine.ConnectionID) { self.id = id }

    var gate: StatementGate? { openGate.withLock { $0 } }

    func run(_ job: PoolJob) { send(.run(job)) }
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
            guard case .run(let job)? = message else {
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
            pool.recordWait(of: job.request)
            connection.gate.enter(job.request)
            let resumeCaller = job.run(connection)
            connection.gate.leave()
            let isReusable = connection.isReusable
            let hasLostServer = connection.hasLostServer
            if !isReusable { connection.close() }
            pool.finished(id, job.request, broken: !isReusable, hasLostServer: hasLostServer)
            resumeCaller()
            if !isReusable { return }
        }
    }
}
