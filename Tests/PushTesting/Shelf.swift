import Synchronization

/// Holds a value that is known only after the object that needs it was made.
final class Shelf<Value: Sendable>: Sendable {
    private let content = Mutex<Value?>(nil)

    var value: Value? {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }
}
