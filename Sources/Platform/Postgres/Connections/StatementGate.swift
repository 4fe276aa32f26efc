import CPostgres
import Dispatch
import Foundation
import Synchronization

/// One caller's request for a connection, and whether the caller still wants it.
final class PoolRequest: Sendable {
    let id: Int
    let submittedAt = ContinuousClock.now
    private let cancelled = Atomic(false)

    init(id: Int) { self.id = id }

    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }
    func cancel() { cancelled.store(true, ordering: .releasing) }
}

/// Lets other threads cancel the statement that a connection is running, and only that statement.
///
/// A cancel request reaches the server on a connection of its own, so a late one would cancel the next statement.
/// Therefore the connection's thread waits at the end of a statement for a cancel request that is under way. If that
/// takes too long, the connection is closed, so that the request finds no statement.
final class StatementGate: Sendable {
    private struct State {
        /// The requests that the statement runs for; none where nobody asked through the pool.
        var requests: [PoolRequest] = []

        var isWanted: Bool { requests.isEmpty || !requests.allSatisfy(\.isCancelled) }

        var startedAt: ContinuousClock.Instant?
        var mayBeCancelled = false
        /// Signalled once, when the server has answered the cancel request that is under way.
        var cancelling: DispatchSemaphore?
        var isPoisoned = false
        var socket: Int32?
    }

    private static let cancelPatience = DispatchTimeInterval.seconds(2)

    private let state: Mutex<State>
    private let ticket: CancelTicket

    init(socket: Int32, ticket: CancelTicket) {
        state = Mutex(State(socket: socket))
        self.ticket = ticket
    }

    /// Whether a cancel request may still arrive, so that the connection must not be used again.
    var isPoisoned: Bool { state.withLock { $0.isPoisoned } }

    /// Whether a caller still waits for the result.
    var isWanted: Bool { state.withLock { $0.isWanted } }

    // MARK: For the connection's thread

    func enter(_ requests: [PoolRequest]) { state.withLock { $0.requests = requests } }

    func leave() { state.withLock { $0.requests = [] } }

    /// Marks the start of a statement. COMMIT and ROLLBACK must not be cancelled.
    func begin(mayBeCancelled: Bool) throws(PostgresError) {
        let isCancelled = state.withLock { state in
            if mayBeCancelled, !state.isWanted { return true }
            state.startedAt = .now
            state.mayBeCancelled = mayBeCancelled
            return false
        }
        if isCancelled { throw .unavailable(.cancelled) }
    }

    /// Marks the end of a statement, after any cancel request that is under way.
    func end() {
        let cancelling = state.withLock { state in
            state.startedAt = nil
            return state.cancelling
        }
        guard let cancelling else { return }
        if cancelling.wait(timeout: .now() + Self.cancelPatience) == .timedOut {
            state.withLock { $0.isPoisoned = true }
        }
    }

    /// Forgets the socket before it is closed: the system may give its number to another file.
    func willClose() {
        state.withLock { state in
            state.socket = nil
            state.startedAt = nil
        }
    }

    // MARK: For other threads

    /// Cancels the request's running statement, unless it runs for others, too. The request's next statement fails at its
    /// start.
    func cancel(_ request: PoolRequest) {
        cancelIf { state in
            state.mayBeCancelled && !state.isWanted && state.requests.contains { $0 === request }
        }
    }

    /// Repeats a cancel request that came too early, cancels a statement that the server should have ended itself (1 s
    /// after its time limit), and closes the socket of a server that does not answer (4 s after it).
    func enforce(statementTimeout: Duration, now: ContinuousClock.Instant) {
        cancelIf { state in
            guard let startedAt = state.startedAt, state.mayBeCancelled else { return false }
            if !state.isWanted { return true }
            return statementTimeout > .zero && now - startedAt > statementTimeout + .seconds(1)
        }
        guard statementTimeout > .zero else { return }
        state.withLock { state in
            guard let startedAt = state.startedAt, let socket = state.socket,
                now - startedAt > statementTimeout + .seconds(4)
            else { return }
            shutdown(socket, Int32(SHUT_RDWR))
        }
    }

    /// Closes the socket, so that the connection's thread finds the connection lost.
    func hangUp() {
        state.withLock { state in
            if let socket = state.socket { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    private func cancelIf(_ condition: (State) -> Bool) {
        let done: DispatchSemaphore? = state.withLock { state in
            guard state.startedAt != nil, state.cancelling == nil, condition(state) else { return nil }
            let done = DispatchSemaphore(value: 0)
            state.cancelling = done
            return done
        }
        guard let done else { return }
        // PQcancel connects and waits for the answer, so it needs a thread of its own.
        Thread.detachNewThread { [self] in
            ticket.send()
            state.withLock { $0.cancelling = nil }
            done.signal()
        }
    }
}

/// libpq's data for cancelling a connection's statement.
///
/// Unchecked: a `PGcancel` never changes after its creation, and libpq documents PQcancel as safe to call from any
/// thread.
final class CancelTicket: @unchecked Sendable {
    private let handle: OpaquePointer?

    init(connection: OpaquePointer) { handle = PQgetCancel(connection) }

    deinit { if let handle { PQfreeCancel(handle) } }

    func send() {
        guard let handle else { return }
        var message = [CChar](repeating: 0, count: 256)
        _ = PQcancel(handle, &message, Int32(message.count))
    }
}
