import Hummingbird
import NIOCore

/// A body in memory, and the part of the budget that it holds for as long as this value lives.
package struct CollectedBody: Sendable {
    package let buffer: ByteBuffer
    package let reservation: BodyBudget.Reservation
}

extension Request {
    /// Reads the whole body, at most `maxBytes`, within `budget`.
    ///
    /// - Parameter tooLarge: what is thrown when there is more; `body_too_large` unless given.
    /// - Throws: `Problem`: 503 `overloaded` before anything is read when the budget is spent, `tooLarge`, 408 for
    ///   a client that is too slow.
    package func collectBody(
        maxBytes: Int, budget: BodyBudget, tooLarge: Problem? = nil, context: AppContext
    ) async throws -> CollectedBody {
        let reservation = try budget.reserve(maxBytes)
        return CollectedBody(buffer: try await body.collect(upTo: maxBytes), reservation: reservation)
    }
}
