import Synchronization

/// A bounded number of exchanges at a time. A caller that finds no place waits in a queue.
final class ConnectionPlaces: Sendable {
    private struct State {
        var free: Int
        var nextID = 0
        /// The waiting callers in order of arrival. No place is free while a caller waits.
        var waiters: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) {
        state = Mutex(State(free: count))
    }

    /// - Returns: whether the caller has a place, which it must give back.
    func take(until deadline: ContinuousClock.Instant) async -> Bool {
        if takeAtOnce() { return true }
        return await withTaskGroup(of: Bool?.self) { group in
            group.addTask { await self.waitInLine() }
            group.addTask {
                try? await Task.sleep(until: deadline, clock: .continuous)
                return nil
            }
            let first = await group.next()
            group.cancelAll()
            if let hasPlace = first ?? nil { return hasPlace }
            // The caller may have got a place at the last moment.
            return (await group.next() ?? nil) ?? false
        }
    }

    func giveBack() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard state.waiters.isEmpty else { return state.waiters.removeFirst().continuation }
            state.free += 1
            return nil
        }
        next?.resume(returning: true)
    }

    private func takeAtOnce() -> Bool {
        state.withLock { state in
            guard state.free > 0 else { return false }
            state.free -= 1
            return true
        }
    }

    /// Returns false for a cancelled caller.
    private func waitInLine() async -> Bool {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    // A cancellation before this point found no waiter to resume.
                    if Task.isCancelled { return false }
                    if state.free > 0 {
                        state.free -= 1
                        return true
                    }
                    state.waiters.append((id, continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            leaveLine(id)?.resume(returning: false)
        }
    }

    private func leaveLine(_ id: Int) -> CheckedContinuation<Bool, Never>? {
        state.withLock { state in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
            return state.waiters.remove(at: index).continuation
        }
    }
}
