import Synchronization

/// A bounded number of places for work that runs at the same time. Work that finds no place is refused at once instead
/// of waiting.
package final class Gate: Sendable {
    package let limit: Int
    private let count = Atomic(0)
    private let onChange: @Sendable (Int) -> Void

    /// - Parameter onChange: called with the number of places taken whenever it changes, for a gauge.
    package init(limit: Int, onChange: @escaping @Sendable (_ taken: Int) -> Void = { _ in }) {
        self.limit = limit
        self.onChange = onChange
    }

    /// The number of places that are taken now.
    package var taken: Int { count.load(ordering: .relaxed) }

    package var isFull: Bool { taken >= limit }

    /// Takes a place; nil when all places are taken.
    package func enter() -> Place? {
        let now = count.add(1, ordering: .relaxed).newValue
        guard now <= limit else {
            count.subtract(1, ordering: .relaxed)
            return nil
        }
        onChange(now)
        return Place(in: self)
    }

    private func leave() {
        onChange(count.subtract(1, ordering: .relaxed).newValue)
    }

    /// A place that is taken until it is released or its last reference goes away.
    package final class Place: Sendable {
        private let gate: Gate
        private let isReleased = Atomic(false)

        fileprivate init(in gate: Gate) {
            self.gate = gate
        }

        /// Gives the place back. A second call has no effect.
        package func release() {
            if !isReleased.exchange(true, ordering: .relaxed) { gate.leave() }
        }

        deinit {
            release()
        }
    }
}
