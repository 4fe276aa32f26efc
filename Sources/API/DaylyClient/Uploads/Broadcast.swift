import Foundation

/// Gives values to any number of readers. A reader gets the values that are published after it was made.
package struct Broadcast<Value: Sendable>: Sendable {
    private let readers = Locked<[UUID: AsyncStream<Value>.Continuation]>([:])

    package init() {}

    package func stream(
        bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<Value> {
        let (stream, reader) = AsyncStream<Value>.makeStream(bufferingPolicy: bufferingPolicy)
        let id = UUID()
        readers.withLock { $0[id] = reader }
        reader.onTermination = { [readers] _ in readers.withLock { $0[id] = nil } }
        return stream
    }

    package func publish(_ value: Value) {
        for reader in readers.withLock({ Array($0.values) }) { reader.yield(value) }
    }
}
