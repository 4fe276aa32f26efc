import Foundation
import Metrics
import Synchronization

/// Bounds the memory that all bodies in flight hold together (`limits.upload_memory`), and the share of one sender.
package final class BodyBudget: Sendable {
    private struct Share {
        var bytes = 0
        var bodies = 0
    }

    private struct State {
        var reserved = 0
        var shares: [UUID: Share] = [:]
    }

    /// The most bodies that one holder may have at a time, however small they are.
    private static let maxBodiesPerHolder = 64

    package let maxBytes: Int
    /// A holder's only body may be larger.
    private let maxBytesPerHolder: Int
    private let state = Mutex(State())
    private let gauge: Gauge?

    /// - Parameter metric: the first part of the gauges' names, such as `dayly_upload_memory`. `_bytes` and `_limit_bytes`
    ///   follow it.
    package init(maxBytes: Int, metric: String? = nil) {
        self.maxBytes = maxBytes
        maxBytesPerHolder = maxBytes / 4
        gauge = metric.map { Gauge(label: $0 + "_bytes") }
        if let metric { Gauge(label: metric + "_limit_bytes").record(maxBytes) }
    }

    /// The bytes that are held now.
    package var reservedBytes: Int { state.withLock { $0.reserved } }

    /// - Parameter holder: the sender of the body. One holder gets at most a quarter of the budget, or one body.
    /// - Throws: `Problem.overloaded` if too little is left.
    package func reserve(_ bytes: Int, for holder: UUID? = nil) throws(Problem) -> Reservation {
        guard take(bytes, for: holder, isFirst: true) else { throw .overloaded() }
        return Reservation(budget: self, bytes: bytes, holder: holder)
    }

    private func take(_ bytes: Int, for holder: UUID?, isFirst: Bool) -> Bool {
        state.withLock { state in
            guard bytes <= maxBytes - state.reserved else { return false }
            if let holder {
                var share = state.shares[holder] ?? Share()
                guard
                    share.bodies == 0
                        || share.bytes + bytes <= maxBytesPerHolder && share.bodies < Self.maxBodiesPerHolder
                else { return false }
                share.bytes += bytes
                if isFirst { share.bodies += 1 }
                state.shares[holder] = share
            }
            state.reserved += bytes
            gauge?.record(state.reserved)
            return true
        }
    }

    /// Whether the budget has room for a body now. A check before any work is done for the body.
    package func hasRoom(for bytes: Int) -> Bool { bytes <= maxBytes - reservedBytes }

    private func giveBack(_ bytes: Int, of holder: UUID?, isLast: Bool) {
        state.withLock { state in
            state.reserved -= bytes
            gauge?.record(state.reserved)
            guard let holder, var share = state.shares[holder] else { return }
            share.bytes -= bytes
            if isLast { share.bodies -= 1 }
            state.shares[holder] = share.bodies > 0 ? share : nil
        }
    }

    /// A part of the budget. It is given back when it is released or when its last reference goes away.
    package final class Reservation: Sendable {
        private let budget: BodyBudget
        private let holder: UUID?
        /// Nil after the release.
        private let bytes: Mutex<Int?>

        fileprivate init(budget: BodyBudget, bytes: Int, holder: UUID?) {
            self.budget = budget
            self.holder = holder
            self.bytes = Mutex(bytes)
        }

        /// - Returns: false if the budget has no room for so many more bytes.
        package func grow(by more: Int) -> Bool {
            guard budget.take(more, for: holder, isFirst: false) else { return false }
            let isHeld = bytes.withLock { held -> Bool in
                guard let all = held else { return false }
                held = all + more
                return true
            }
            if !isHeld { budget.giveBack(more, of: holder, isLast: false) }
            return isHeld
        }

        /// Gives back everything beyond `bytes`.
        package func shrink(to bytes: Int) {
            let surplus = self.bytes.withLock { held -> Int in
                guard let all = held, all > bytes else { return 0 }
                held = bytes
                return all - bytes
            }
            if surplus > 0 { budget.giveBack(surplus, of: holder, isLast: false) }
        }

        package func release() {
            guard let rest = bytes.withLock({ $0.take() }) else { return }
            budget.giveBack(rest, of: holder, isLast: true)
        }

        deinit {
            release()
        }
    }
}
