import Synchronization

/// The rows that one worker has under way, and those that are finished and not settled.
final class OutboxBench: Sendable {
    private struct State {
        var places: Int
        /// Things under way by the lanes that they need.
        var underWay: [String: Int] = [:]
        var finished: [OutboxSettlement] = []
        var isClosed = false
    }

    private let state: Mutex<State>

    init(places: Int) {
        state = Mutex(State(places: places))
    }

    /// How many more things may be begun, in all and for each lane.
    ///
    /// - Parameter open: how many may be under way in each lane.
    func room(of open: [String: Int]) -> (places: Int, lanes: [String: Int]) {
        state.withLock { state in
            let lanes = open.reduce(into: [String: Int]()) { rooms, lane in
                let room = lane.value - state.underWay[lane.key, default: 0]
                rooms[lane.key] = max(0, min(room, state.places))
            }
            return (state.places, lanes)
        }
    }

    func begin(_ item: OutboxItem) {
        state.withLock { state in
            state.places -= 1
            for lane in item.lanes { state.underWay[lane, default: 0] += 1 }
        }
    }

    /// - Returns: false where nobody settles for it any more.
    func end(_ settlement: OutboxSettlement) -> Bool {
        state.withLock { state in
            state.places += 1
            for lane in settlement.item.lanes { state.underWay[lane, default: 0] -= 1 }
            guard !state.isClosed else { return false }
            state.finished.append(settlement)
            return true
        }
    }

    func takeFinished() -> [OutboxSettlement] {
        state.withLock { state in
            defer { state.finished = [] }
            return state.finished
        }
    }

    /// From now on whatever ends is settled by itself.
    func close() -> [OutboxSettlement] {
        state.withLock { $0.isClosed = true }
        return takeFinished()
    }
}
