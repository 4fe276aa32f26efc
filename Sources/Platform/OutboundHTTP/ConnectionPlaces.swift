import Resilience
import Synchronization

/// A bounded number of exchanges at a time. A caller that finds no place waits in a queue.
final class ConnectionPlaces: Sendable {
    private struct State {
        var free: Int
        /// The waiting callers in order of arrival. No place is free while a caller waits.
        var waiting: [Turn] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) {
        state = Mutex(State(free: count))
    }

    /// - Returns: whether the caller has a place, which it must give back.
    func take(until deadline: ContinuousClock.Instant) async -> Bool {
        let turn = state.withLock { state -> Turn? in
            guard state.free == 0 else {
                state.free -= 1
                return nil
            }
            let turn = Turn()
            state.waiting.append(turn)
            return turn
        }
        guard let turn else { return true }
        if await turn.wait(until: deadline) { return true }
        state.withLock { $0.waiting.removeAll { $0 === turn } }
        return false
    }

    func giveBack() {
        state.withLock { state in
            while !state.waiting.isEmpty {
                if state.waiting.removeFirst().grant() { return }
            }
            state.free += 1
        }
    }
}
