import Foundation
import Synchronization

/// Admits pictures to the workers: a bounded number at a time, and a bounded number that wait. The next picture is of the
/// sender with the fewest running workers and, among several such senders, of the one whose last turn is longest ago. The
/// last free worker goes only to a sender without a running worker, and no sender may fill the whole queue. So a sender of
/// a hundred costly pictures delays hardly any other sender.
final class WorkerSlots: Sendable {
    private struct Waiter {
        let id: UInt64
        let sender: UUID?
        let continuation: CheckedContinuation<Void, any Error>
    }

    /// A sender's use of the workers, while it is above zero.
    private struct Share {
        var running = 0
        var lastTurn: UInt64 = 0
    }

    private struct State {
        var free: Int
        var waiting: [Waiter] = []
        var shares: [UUID: Share] = [:]
        var lastID: UInt64 = 0
        var lastTurn: UInt64 = 0

        mutating func begin(_ sender: UUID?) {
            free -= 1
            guard let sender else { return }
            lastTurn += 1
            shares[sender, default: Share()].running += 1
            shares[sender]?.lastTurn = lastTurn
        }

        /// Forgets a sender without running or waiting pictures.
        mutating func forget(_ sender: UUID?) {
            guard let sender, shares[sender]?.running == 0, waitingCount(of: sender) == 0 else { return }
            shares[sender] = nil
        }

        mutating func end(_ sender: UUID?) {
            free += 1
            guard let sender else { return }
            shares[sender]?.running -= 1
            forget(sender)
        }

        func waitingCount(of sender: UUID) -> Int {
            waiting.count { $0.sender == sender }
        }

        /// Whether a picture of this sender may take one of the free workers.
        func mayBegin(_ sender: UUID?) -> Bool {
            let running = sender.flatMap { shares[$0]?.running } ?? 0
            return free > (running == 0 ? 0 : 1)
        }

        /// Gives the free workers to waiting pictures and returns these.
        mutating func beginNext() -> [Waiter] {
            var begun: [Waiter] = []
            while let next = takeNext() {
                begin(next.sender)
                begun.append(next)
            }
            return begun
        }

        /// The waiter whose turn it is.
        private mutating func takeNext() -> Waiter? {
            func rank(_ index: Int) -> (Int, UInt64, UInt64) {
                let share = waiting[index].sender.flatMap { shares[$0] } ?? Share()
                return (share.running, share.lastTurn, waiting[index].id)
            }
            let index = waiting.indices.filter { mayBegin(waiting[$0].sender) }.min { rank($0) < rank($1) }
            return index.map { waiting.remove(at: $0) }
        }
    }

    private let state: Mutex<State>
    private let queueSize: Int
    private let maxWaiting: Int
    private let maxWaitingPerSender: Int
    private let depthChanged: @Sendable (Int) -> Void

    /// - Parameters:
    ///   - queueSize: the number of waiting pictures at which `isFull` is true. One sender may have three quarters of them.
    ///   - maxWaiting: the number of waiting pictures at which another one is refused; at least `queueSize`.
    init(
        count: Int, queueSize: Int, maxWaiting: Int = 0,
        depthChanged: @escaping @Sendable (Int) -> Void
    ) {
        state = Mutex(State(free: max(1, count)))
        self.queueSize = queueSize
        self.maxWaiting = max(queueSize, maxWaiting)
        maxWaitingPerSender = max(1, queueSize * 3 / 4)
        self.depthChanged = depthChanged
    }

    var isFull: Bool { state.withLock { $0.free <= 0 && $0.waiting.count >= queueSize } }

    /// Takes a slot when it is the caller's turn.
    ///
    /// - Throws: `PhotoWorkerError.overloaded` when too many pictures wait, `CancellationError` when the task is cancelled
    ///   while it waits.
    func acquire(for sender: UUID? = nil) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                enqueue(Waiter(id: id, sender: sender, continuation: $0))
            }
        } onCancel: {
            leave(id)
        }
    }

    /// Gives a slot back. It goes to the next waiting picture.
    func release(for sender: UUID? = nil) {
        let (begun, depth) = state.withLock { state in
            state.end(sender)
            return (state.beginNext(), state.waiting.count)
        }
        guard !begun.isEmpty else { return }
        depthChanged(depth)
        for waiter in begun { waiter.continuation.resume() }
    }

    private enum Decision {
        case enter
        case wait(depth: Int)
        case refuse(any Error)
    }

    private func enqueue(_ waiter: Waiter) {
        let decision = state.withLock { state -> Decision in
            // A cancellation that came before the waiter was in the list found nobody to wake.
            if Task.isCancelled { return .refuse(CancellationError()) }
            if state.mayBegin(waiter.sender) {
                state.begin(waiter.sender)
                return .enter
            }
            let own = waiter.sender.map { state.waitingCount(of: $0) } ?? 0
            if state.waiting.count >= maxWaiting || own >= maxWaitingPerSender {
                return .refuse(PhotoWorkerError.overloaded)
            }
            state.waiting.append(waiter)
            return .wait(depth: state.waiting.count)
        }
        switch decision {
        case .enter: waiter.continuation.resume()
        case .wait(let depth): depthChanged(depth)
        case .refuse(let error): waiter.continuation.resume(throwing: error)
        }
    }

    private func leave(_ id: UInt64) {
        let (waiter, depth) = state.withLock { state -> (Waiter?, Int) in
            guard let index = state.waiting.firstIndex(where: { $0.id == id }) else { return (nil, 0) }
            let waiter = state.waiting.remove(at: index)
            state.forget(waiter.sender)
            return (waiter, state.waiting.count)
        }
        guard let waiter else { return }
        depthChanged(depth)
        waiter.continuation.resume(throwing: CancellationError())
    }
}
