import Synchronization

/// The places of one worker: how many rows it handles at the same time, in all and for each lane. It also collects the
/// results that are not written yet.
final class OutboxPlaces: Sendable {
    private struct State {
        var free: Int
        /// The number of rows being handled, by the lanes that they need.
        var running: [String: Int] = [:]
        var results: [OutboxResult] = []
        var isClosed = false
    }

    private let state: Mutex<State>

    init(_ count: Int) {
        state = Mutex(State(free: count))
    }

    /// The number of further rows that may be claimed, in all and for each lane.
    ///
    /// - Parameter open: how many rows may be handled at the same time in each lane.
    func room(in open: [String: Int]) -> (all: Int, lanes: [String: Int]) {
        state.withLock { state in
            let lanes = open.reduce(into: [String: Int]()) { rooms, lane in
                let room = lane.value - state.running[lane.key, default: 0]
                rooms[lane.key] = max(0, min(room, state.free))
            }
            return (state.free, lanes)
        }
    }

    func begin(_ item: OutboxItem) {
        state.withLock { state in
            state.free -= 1
            for lane in item.lanes { state.running[lane, default: 0] += 1 }
        }
    }

    /// - Returns: false after `close`; then the caller writes the result itself.
    func end(_ result: OutboxResult) -> Bool {
        state.withLock { state in
            state.free += 1
            for lane in result.item.lanes { state.running[lane, default: 0] -= 1 }
            guard !state.isClosed else { return false }
            state.results.append(result)
            return true
        }
    }

    func takeResults() -> [OutboxResult] {
        state.withLock { state in
            defer { state.results = [] }
            return state.results
        }
    }

    /// Collects no further results.
    ///
    /// - Returns: the results that are not written yet.
    func close() -> [OutboxResult] {
        state.withLock { $0.isClosed = true }
        return takeResults()
    }
}
