import DaylyClient
import Foundation

/// A clock that stands still until a test moves it.
public final class ManualClock: ClientClock {
    private struct State: Sendable {
        var monotonic = Duration.zero
        var now: Date
        var sleepers: [UUID: Sleeper] = [:]
    }

    private struct Sleeper: Sendable {
        let end: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private let state: Locked<State>

    public init(now: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
        state = Locked(State(now: now))
    }

    public var monotonic: Duration { state.withLock { $0.monotonic } }
    public var now: Date { state.withLock { $0.now } }

    /// How many tasks sleep.
    public var sleepers: Int { state.withLock { $0.sleepers.count } }

    /// Moves both clocks and wakes those whose time has come.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.monotonic += duration
            state.now += duration / .seconds(1)
            let due = state.sleepers.filter { $0.value.end <= state.monotonic }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.end < $1.end }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Sets the wall clock alone, as a user does in Settings.
    public func setWallClock(to date: Date) {
        state.withLock { $0.now = date }
    }

    public func sleep(for duration: Duration) async throws {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.withLock { state in
                    guard duration > .zero, !Task.isCancelled else { return true }
                    let end = state.monotonic + duration
                    state.sleepers[id] = Sleeper(end: end, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
            try Task.checkCancellation()
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
