import FeatureKit
import Auth
import Groups
import Synchronization

/// Lets one upload at a time of a sender to a group be decoded and claim its day, within this process. The others wait
/// and then look at the day again, so that of many uploads for one day only one costs a decoding.
final class UploadTurns: Sendable {
    /// The place in whose day an upload wants to be.
    struct Slot: Hashable {
        let group: GroupID
        let sender: UserID
    }

    /// Resumed with true, because it has waited.
    private typealias Waiter = (id: UInt64, continuation: CheckedContinuation<Bool, any Error>)

    private struct State {
        /// An entry for each slot whose turn an upload has, with the uploads behind it.
        var waiting: [Slot: [Waiter]] = [:]
        var lastID: UInt64 = 0
    }

    private let state = Mutex(State())
    private let maxWaiting: Int

    /// - Parameter maxWaiting: the uploads that may wait for one slot; each holds its whole body in memory.
    init(maxWaiting: Int = 16) {
        self.maxWaiting = maxWaiting
    }

    /// Begins the slot's turn when no other upload has it. The caller ends it.
    ///
    /// - Throws: `PhotoError.uploadInProgress` when too many wait; `CancellationError`.
    func begin(_ slot: Slot) async throws -> UploadTurn {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let hasWaited = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { enqueue((id, $0), for: slot) }
        } onCancel: {
            leave(id, slot)
        }
        return UploadTurn(hasWaited: hasWaited) { [self] in end(slot) }
    }

    func waitingCount(for slot: Slot) -> Int { state.withLock { $0.waiting[slot]?.count ?? 0 } }

    private func enqueue(_ waiter: Waiter, for slot: Slot) {
        let answer: Result<Bool, any Error>? = state.withLock { state in
            // A cancellation that came before the waiter was in the list found no waiter to wake.
            if Task.isCancelled { return .failure(CancellationError()) }
            guard let waiting = state.waiting[slot] else {
                state.waiting[slot] = []
                return .success(false)
            }
            guard waiting.count < maxWaiting else {
                return .failure(PhotoError.uploadInProgress(retryAfter: .seconds(5)))
            }
            state.waiting[slot]?.append(waiter)
            return nil
        }
        if let answer { waiter.continuation.resume(with: answer) }
    }

    private func end(_ slot: Slot) {
        let next: Waiter? = state.withLock { state in
            guard let waiting = state.waiting[slot], !waiting.isEmpty else {
                state.waiting[slot] = nil
                return nil
            }
            return state.waiting[slot]?.removeFirst()
        }
        next?.continuation.resume(returning: true)
    }

    private func leave(_ id: UInt64, _ slot: Slot) {
        let waiter: Waiter? = state.withLock { state in
            guard let index = state.waiting[slot]?.firstIndex(where: { $0.id == id }) else { return nil }
            return state.waiting[slot]?.remove(at: index)
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }
}

/// One upload's turn at its slot. Ending it twice has no further effect.
final class UploadTurn: Sendable {
    let hasWaited: Bool
    private let whatEnds: Mutex<(@Sendable () -> Void)?>

    init(hasWaited: Bool, whatEnds: @escaping @Sendable () -> Void) {
        self.hasWaited = hasWaited
        self.whatEnds = Mutex(whatEnds)
    }

    func end() {
        let whatEnds = whatEnds.withLock { held in
            defer { held = nil }
            return held
        }
        whatEnds?()
    }
}
