import Foundation
import Synchronization

/// Admission to the workers: a number of pictures at a time, a number that wait, and no more. Among the waiting pictures
/// the next one is of the sender with the fewest workers, then of the sender who has waited longest since their last turn.
/// The last free worker goes only to a sender who has none, and no sender fills the whole queue. So a sender of a hundred
/// costly pictures waits for them, and hardly anybody else does.
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

        /// Drops what is known of a sender who has nothing here any more.
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

        /// Whether a picture of this sender may have one of the free workers.
        func mayBegin(_ sender: UUID?) -> Bool {
            let running = sender.flatMap { shares[$0]?.running } ?? 0
            return free > (running == 0 ? 0 : 1)
        }

        /// The waiting pictures that get the free workers now.
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
    ///   - queueSize: waiters that make it `isFull`, and of which one sender has at most three quarters.
    ///   - maxWaiting: waiters beyond which another one is refused; `queueSize` where that is more.
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

    /// Takes a slot, when it is the caller's turn. Throws `PhotoWorkerError.overloaded` when too many wait already,
    /// `CancellationError` when the task is cancelled meanwhile.
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

    /// Gives a slot back. It goes to the waiter whose turn it is.
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
