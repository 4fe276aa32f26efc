import FeatureKit
import Groups
import Synchronization

/// The signals that the pump has not handled, one for each group.
final class SignalInbox: Sendable {
    struct Work {
        var signals: [GroupEventSignal] = []
        /// All streams are to be compared with the database.
        var comparesAll = false
        /// The next part of the streams is to be compared with the database.
        var comparesPart = false
    }

    private struct State {
        var numbers: [GroupID: Int] = [:]
        var joinings: [GroupEventSignal] = []
        var comparesAll = false
        var comparesPart = false
    }

    private let state = Mutex(State())
    private let wake: AsyncStream<Void>.Continuation
    /// One element for any number of signals.
    let wakeups: AsyncStream<Void>

    init() {
        (wakeups, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// - Parameter payload: one line for each signal. An empty payload stands for too many signals to be listed.
    func add(payload: String) {
        guard !payload.isEmpty else { return requestComparison() }
        for line in payload.split(separator: "\n") {
            if let signal = GroupEventSignal(payload: String(line)) { add(signal) }
        }
    }

    func add(_ signal: GroupEventSignal) {
        state.withLock { state in
            if signal.isJoining { state.joinings.append(signal) }
            state.numbers[signal.group] = max(state.numbers[signal.group] ?? 0, signal.number)
        }
        wake.yield()
    }

    func requestComparison() {
        state.withLock { $0.comparesAll = true }
        wake.yield()
    }

    func requestPartialComparison() {
        state.withLock { $0.comparesPart = true }
        wake.yield()
    }

    func take() -> Work {
        state.withLock { state in
            defer { state = State() }
            let signals = state.numbers.map {
                GroupEventSignal(group: $0.key, number: $0.value, isJoining: false)
            }
            return Work(
                signals: state.joinings + signals, comparesAll: state.comparesAll,
                comparesPart: state.comparesPart)
        }
    }
}
