import Auth
import FeatureKit
import Groups
import Synchronization

/// Lets one upload of one sender to one group at a time be decoded and claim its day within this process, so that only one of
/// many uploads for one day is decoded. Between processes the claim's row does it.
final class UploadTurns: Sendable {
    /// One sender's place in one group.
    struct Slot: Hashable {
        let group: GroupID
        let sender: UserID
    }

    private let occupied = Mutex<Set<Slot>>([])

    /// Occupies the slot. The caller ends the turn.
    ///
    /// - Returns: nil if another upload occupies it.
    func begin(_ slot: Slot) -> UploadTurn? {
        let isFree = occupied.withLock { $0.insert(slot).inserted }
        return isFree ? UploadTurn { [self] in occupied.withLock { _ = $0.remove(slot) } } : nil
    }
}

/// Occupies a slot for one upload. Ending it twice has no further effect.
final class UploadTurn: Sendable {
    private let onEnd: Mutex<(@Sendable () -> Void)?>

    init(onEnd: @escaping @Sendable () -> Void) {
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
