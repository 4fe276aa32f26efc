import Synchronization

/// Admission to the workers: so many at a time, so many waiting in order, and no more.
final class WorkerSlots: Sendable {
    private struct Waiter {
        let id: UInt64
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var free: Int
        var waiting: [Waiter] = []
        var lastID: UInt64 = 0
    }

    private let state: Mutex<State>
    private let maxWaiting: Int
    private let depthChanged: @Sendable (Int) -> Void

    init(count: Int, maxWaiting: Int, depthChanged: @escaping @Sendable (Int) -> Void) {
        state = Mutex(State(free: max(1, count)))
        self.maxWaiting = maxWaiting
        self.depthChanged = depthChanged
    }

    /// Takes a slot, after those who came before. Throws `ImagingError.overloaded` when too many wait already,
    /// `CancellationError` when the task is cancelled meanwhile.
    func acquire() async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { enqueue(Waiter(id: id, continuation: $0)) }
        } onCancel: {
            leave(id)
        }
    }

    /// Gives a slot back, to the first who waits.
    func release() {
        let (next, depth) = state.withLock { state -> (Waiter?, Int) in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return (nil, 0)
            }
            return (state.waiting.removeFirst(), state.waiting.count)
        }
        guard let next else { return }
        depthChanged(depth)
        next.continuation.resume()
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
            if state.free > 0 {
                state.free -= 1
                return .enter
            }
            if state.waiting.count >= maxWaiting { return .refuse(ImagingError.overloaded) }
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
            return (state.waiting.remove(at: index), state.waiting.count)
        }
        guard let waiter else { return }
        depthChanged(depth)
        waiter.continuation.resume(throwing: CancellationError())
    }
}
