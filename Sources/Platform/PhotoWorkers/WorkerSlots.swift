import Foundation
import Resilience
import Synchronization

/// Admits pictures to the workers: a bounded number at a time, and a bounded number that wait. The next picture is of the
/// sender with the fewest running workers and, among several such senders, of the one whose last turn is longest ago. The
/// last free worker goes only to a sender without a running worker, and no sender may fill the whole queue. So a sender of
/// a hundred costly pictures delays hardly any other sender.
final class WorkerSlots: Sendable {
    private struct Waiter {
        let id: UInt64
        let sender: UUID?
        let turn = Turn()
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

        /// Gives the free workers to waiting pictures.
        mutating func beginNext() {
            while let next = takeNext() {
                if next.turn.grant() { begin(next.sender) } else { forget(next.sender) }
            }
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
        try Task.checkCancellation()
        guard let (waiter, depth) = try enqueue(sender) else { return }
        depthChanged(depth)
        guard await waiter.turn.wait() else {
            depthChanged(leave(waiter))
            throw CancellationError()
        }
    }

    /// Gives a slot back. It goes to the next waiting picture.
    func release(for sender: UUID? = nil) {
        let (before, after) = state.withLock { state in
            let before = state.waiting.count
            state.end(sender)
            state.beginNext()
            return (before, state.waiting.count)
        }
        if after != before { depthChanged(after) }
    }

    /// - Returns: the waiter, and how many wait with it; nil if the caller has a slot already.
    private func enqueue(_ sender: UUID?) throws -> (Waiter, depth: Int)? {
        try state.withLock { state in
            if state.mayBegin(sender) {
                state.begin(sender)
                return nil
            }
            let own = sender.map { state.waitingCount(of: $0) } ?? 0
            guard state.waiting.count < maxWaiting, own < maxWaitingPerSender else {
                throw PhotoWorkerError.overloaded
            }
            state.lastID += 1
            let waiter = Waiter(id: state.lastID, sender: sender)
            state.waiting.append(waiter)
            return (waiter, state.waiting.count)
        }
    }

    /// - Returns: how many wait after it.
    private func leave(_ waiter: Waiter) -> Int {
        state.withLock { state in
            state.waiting.removeAll { $0.id == waiter.id }
            state.forget(waiter.sender)
            return state.waiting.count
        }
    }
}
