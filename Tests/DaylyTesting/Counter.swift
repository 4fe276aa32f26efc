import Synchronization

/// A number that concurrent closures share.
package final class Counter: Sendable {
    private let number: Atomic<Int>

    package init(_ start: Int = 0) { number = Atomic(start) }

    package var value: Int { number.load(ordering: .acquiring) }

    /// - Returns: the number after the step.
    @discardableResult
    package func increment() -> Int { number.add(1, ordering: .acquiringAndReleasing).newValue }
}
