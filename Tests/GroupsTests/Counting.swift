import Synchronization

/// Counts from zero, for closures that run at once.
final class Counting: Sendable {
    private let value = Mutex(0)

    func next() -> Int {
        value.withLock { value in
            defer { value += 1 }
            return value
        }
    }

    /// How often `next` was called.
    var current: Int { value.withLock { $0 } }
}
