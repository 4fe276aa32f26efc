import Synchronization

/// The memory that all bodies in flight may hold together (`limits.upload_memory`).
package final class BodyBudget: Sendable {
    package let maxBytes: Int
    private let reserved = Mutex(0)

    package init(maxBytes: Int) {
        self.maxBytes = maxBytes
    }

    /// What is held now.
    package var reservedBytes: Int { reserved.withLock { $0 } }

    /// - Throws: `Problem.overloaded` when so much is not left.
    package func reserve(_ bytes: Int) throws(Problem) -> Reservation {
        let fits = reserved.withLock { reserved in
            guard bytes <= maxBytes - reserved else { return false }
            reserved += bytes
            return true
        }
        guard fits else { throw .overloaded() }
        return Reservation(budget: self, bytes: bytes)
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
            budget.reserved.withLock { $0 -= surplus }
        }

        package func release() {
            shrink(to: 0)
        }

        deinit {
            release()
        }
    }
}
