import Synchronization

/// One caller's wait for something that another one gives back: a place, a worker. It ends once, with the first of a grant,
/// the deadline and the cancellation of the caller's task.
///
/// An owner keeps the turns in its queue. It offers what is given back to one after the other until `grant` says that one took
/// it. A caller whose wait has ended without a grant takes its turn out of the queue.
package final class Turn: Sendable {
    private enum State {
        case isOpen(waiter: CheckedContinuation<Bool, Never>?)
        case hasEnded(isGranted: Bool)
    }

    private let state = Mutex(State.isOpen(waiter: nil))

    package init() {}

    /// Ends the wait, also one that is yet to begin.
    ///
    /// - Returns: false if it had ended before: the caller does not take what is offered.
    package func grant() -> Bool { end(isGranted: true) }

    /// Waits for the grant.
    ///
    /// - Returns: whether it came before the deadline and the cancellation. Then the caller has what it waited for.
    package func wait(until deadline: ContinuousClock.Instant? = nil) async -> Bool {
        let timer = deadline.map { deadline in
            Task {
                try await Task.sleep(until: deadline, clock: .continuous)
                _ = end(isGranted: false)
            }
        }
        defer { timer?.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let ended: Bool? = state.withLock { state in
                    // The end may have come before this.
                    if case .hasEnded(let isGranted) = state { return isGranted }
                    state = .isOpen(waiter: waiter)
                    return nil
                }
                if let ended { waiter.resume(returning: ended) }
            }
        } onCancel: {
            _ = end(isGranted: false)
        }
    }

    private func end(isGranted: Bool) -> Bool {
        let waiter: CheckedContinuation<Bool, Never>?? = state.withLock { state in
            guard case .isOpen(let waiter) = state else { return nil }
            state = .hasEnded(isGranted: isGranted)
            return .some(waiter)
        }
        guard let waiter else { return false }
        waiter?.resume(returning: isGranted)
        return true
    }
}
