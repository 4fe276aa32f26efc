import HTTPKit
import NIOCore

/// The body of a request that the application does not know yet, as far as it has arrived. A slow sender holds nothing
/// else.
struct SmallBody {
    private(set) var bytes = ByteBuffer()
    private var reservation: BodyBudget.Reservation?

    /// - Parameter budget: the memory that all such bodies may hold together.
    /// - Returns: false if the budget has no room for the bytes.
    mutating func append(_ more: ByteBuffer, within budget: BodyBudget) -> Bool {
        if let reservation {
            guard reservation.grow(by: more.readableBytes) else { return false }
            bytes.writeImmutableBuffer(more)
        } else {
            guard let first = try? budget.reserve(more.readableBytes) else { return false }
            reservation = first
            bytes = more
        }
        return true
    }
}
