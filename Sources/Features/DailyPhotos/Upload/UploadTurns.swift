import Auth
import FeatureKit
import Groups
import Synchronization

/// Serialises the uploads of one sender to one group within this process while they are decoded and claim their day. The
/// other uploads wait and then check the day again, so only one of many uploads for one day is decoded.
final class UploadTurns: Sendable {
    /// One sender's place in one group.
    struct Slot: Hashable {
        let group: GroupID
        let sender: UserID
    }

    /// Resumed with true, because the upload has waited.
    private typealias Waiter = (id: UInt64, continuation: CheckedContinuation<Bool, any Error>)

    private struct State {
        /// The waiting uploads of each slot that an upload occupies.
        var waiting: [Slot: [Waiter]] = [:]
        var lastID: UInt64 = 0
    }

    private let state = Mutex(State())
    private let maxWaiting: Int

    /// - Parameter maxWaiting: the number of uploads that may wait for one slot. Each holds its whole body in memory.
    init(maxWaiting: Int = 16) {
        self.maxWaiting = maxWaiting
    }

    /// Waits until no other upload occupies the slot, then occupies it. The caller ends the turn.
    ///
    /// - Throws: `PhotoError.uploadInProgress` if too many uploads wait; `CancellationError`.
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
            // A cancellation before this point did not find the waiter in the list.
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

/// Occupies a slot for one upload. Ending it twice has no further effect.
final class UploadTurn: Sendable {
    let hasWaited: Bool
    private let onEnd: Mutex<(@Sendable () -> Void)?>

    init(hasWaited: Bool, onEnd: @escaping @Sendable () -> Void) {
        self.hasWaited = hasWaited
        self.onEnd = Mutex(onEnd)
    }

    func end() {
        let onEnd = onEnd.withLock { held in
            defer { held = nil }
            return held
        }
        onEnd?()
    }
}
