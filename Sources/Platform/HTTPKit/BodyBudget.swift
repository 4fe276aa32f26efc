import Metrics
import Synchronization

/// The memory that all bodies in flight may hold together (`limits.upload_memory`).
package final class BodyBudget: Sendable {
    package let maxBytes: Int
    private let reserved = Mutex(0)
    private let gauge: Gauge?

    /// - Parameter metric: `dayly_upload_memory`: the name under which it is measured, `_bytes` and `_limit_bytes` behind it.
    package init(maxBytes: Int, metric: String? = nil) {
        self.maxBytes = maxBytes
        gauge = metric.map { Gauge(label: $0 + "_bytes") }
        if let metric { Gauge(label: metric + "_limit_bytes").record(maxBytes) }
    }

    /// What is held now.
    package var reservedBytes: Int { reserved.withLock { $0 } }

    /// - Throws: `Problem.overloaded` when so much is not left.
    package func reserve(_ bytes: Int) throws(Problem) -> Reservation {
        let fits = reserved.withLock { reserved in
            guard bytes <= maxBytes - reserved else { return false }
            reserved += bytes
            gauge?.record(reserved)
            return true
        }
        guard fits else { throw .overloaded() }
        return Reservation(budget: self, bytes: bytes)
    }

    /// An early look, for who has work to do before the body is wanted.
    ///
    /// - Throws: `Problem.overloaded` when so much is not left now.
    package func requireRoom(for bytes: Int) throws(Problem) {
        guard bytes <= maxBytes - reservedBytes else { throw .overloaded() }
    }

    private func giveBack(_ bytes: Int) {
        guard bytes > 0 else { return }
        reserved.withLock { reserved in
            reserved -= bytes
            gauge?.record(reserved)
        }
    }

    /// A part of the budget, given back when it is released or goes away.
    package final class Reservation: Sendable {
        private let budget: BodyBudget
        private let bytes: Mutex<Int>

        fileprivate init(budget: BodyBudget, bytes: Int) {
            self.budget = budget
            self.bytes = Mutex(bytes)
        }

        /// Keeps no more than `bytes` of it.
        package func shrink(to bytes: Int) {
            let surplus = self.bytes.withLock { held in
                let surplus = max(0, held - bytes)
                held -= surplus
                return surplus
            }
            budget.giveBack(surplus)
        }

        package func release() {
            shrink(to: 0)
        }

        deinit {
            release()
        }
    }
}
