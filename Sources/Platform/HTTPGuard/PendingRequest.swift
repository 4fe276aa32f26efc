import HTTPKit
import NIOCore
import NIOHTTP1

/// A request whose small body is still on its way: nobody has seen it yet, so its slow sender costs nothing but these
/// bytes.
final class PendingRequest {
    let head: HTTPRequestHead
    let lane: Admission.Lane
    private(set) var body: ByteBuffer?
    private var reservation: BodyBudget.Reservation?

    init(head: HTTPRequestHead, lane: Admission.Lane) {
        self.head = head
        self.lane = lane
    }

    /// False when so much is not left of what all of them may hold together.
    func append(_ bytes: ByteBuffer, within budget: BodyBudget) -> Bool {
        if let reservation {
            guard reservation.grow(by: bytes.readableBytes) else { return false }
        } else {
            guard let first = try? budget.reserve(bytes.readableBytes) else { return false }
            reservation = first
        }
        if body == nil { body = bytes } else { body?.writeImmutableBuffer(bytes) }
        return true
    }
}
