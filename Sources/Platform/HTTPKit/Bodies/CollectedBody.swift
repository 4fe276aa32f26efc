import Foundation
import Hummingbird
import NIOCore

/// A body in memory, with the part of the budget that it holds.
package struct CollectedBody: Sendable {
    package let buffer: ByteBuffer
    /// Keep the reservation (or the whole value) while the bytes are in use. `release()` gives it back early.
    package let reservation: BodyBudget.Reservation
}

extension Request {
    /// Reads the whole body, at most `maxBytes`. Before the first byte is read, the length of `Content-Length`, or
    /// `maxBytes` without one, is reserved in `budget`.
    ///
    /// The connection's guard enforces a deadline and a minimum pace (HTTPGuard, `HTTPServerOptions`).
    ///
    /// - Parameters:
    ///   - holder: the sender, whose share of the budget is bounded.
    ///   - tooLarge: the problem of a longer body; `body_too_large` unless given.
    /// - Throws: `Problem`: `tooLarge` (before reading if `Content-Length` exceeds the limit), 503 `overloaded` before
    ///   reading if the budget has no room, 400 for a body that ends early, 408 for a client that is too slow.
    package func collectBody(
        maxBytes: Int, budget: BodyBudget, holder: UUID? = nil, tooLarge: Problem? = nil, context: AppContext
    ) async throws -> CollectedBody {
        let reservation = try reserve(maxBytes, in: budget, holder: holder, tooLarge: tooLarge)
        let buffer = try await readBody(maxBytes: maxBytes, tooLarge: tooLarge, context: context)
        reservation.shrink(to: buffer.readableBytes)
        return CollectedBody(buffer: buffer, reservation: reservation)
    }

    /// Reads the whole body as `collectBody` does, but gives each piece away as it arrives.
    ///
    /// - Parameter take: keeps the bytes of a piece. They count in the budget as if this process kept them.
    /// - Returns: the part of the budget that the bytes hold. Keep it while they are in use.
    /// - Throws: like `collectBody`, and what `take` throws.
    package func receiveBody(
        maxBytes: Int, budget: BodyBudget, holder: UUID? = nil, tooLarge: Problem? = nil, context: AppContext,
        _ take: (ByteBuffer) throws -> Void
    ) async throws -> BodyBudget.Reservation {
        let reservation = try reserve(maxBytes, in: budget, holder: holder, tooLarge: tooLarge)
        let count = try await readBody(maxBytes: maxBytes, tooLarge: tooLarge, context: context, take)
        reservation.shrink(to: count)
        return reservation
    }

    private func reserve(_ maxBytes: Int, in budget: BodyBudget, holder: UUID?, tooLarge: Problem?)
        throws(Problem) -> BodyBudget.Reservation
    {
        try requireIdentityEncoding()
        let declared = try declaredLength(maxBytes: maxBytes, tooLarge: tooLarge)
        return try budget.reserve(declared ?? maxBytes, for: holder)
    }

    func readBody(maxBytes: Int, tooLarge: Problem?, context: AppContext) async throws -> ByteBuffer {
        var collected = ByteBuffer()
        if let declared = try declaredLength(maxBytes: maxBytes, tooLarge: tooLarge) {
            collected.reserveCapacity(declared)
        }
        _ = try await readBody(maxBytes: maxBytes, tooLarge: tooLarge, context: context) {
            collected.writeImmutableBuffer($0)
        }
        return collected
    }

    /// - Returns: the number of bytes.
    private func readBody(
        maxBytes: Int, tooLarge: Problem?, context: AppContext, _ take: (ByteBuffer) throws -> Void
    ) async throws -> Int {
        let declared = try declaredLength(maxBytes: maxBytes, tooLarge: tooLarge)
        if headers[.expect] != nil { context.letBodyCome() }
        var count = 0
        do {
            for try await chunk in body {
                count += chunk.readableBytes
                guard count <= maxBytes else { throw tooLarge ?? .bodyTooLarge(maxBytes: maxBytes) }
                try take(chunk)
            }
        } catch  where error is ChannelError || error is IOError {
            // The client has closed the connection.
            context.logger.debug("body cut off", metadata: ["error": .string(String(reflecting: error))])
            throw Problem.bodyCutOff
        }
        guard declared == nil || declared == count else { throw Problem.bodyCutOff }
        return count
    }

    /// `Content-Length`, nil without one.
    private func declaredLength(maxBytes: Int, tooLarge: Problem?) throws(Problem) -> Int? {
        guard let field = headers[.contentLength] else { return nil }
        guard let length = Int(field), length >= 0 else {
            // Digits that do not fit into an Int are a length beyond every limit.
            throw tooLarge ?? .bodyTooLarge(maxBytes: maxBytes)
        }
        guard length <= maxBytes else { throw tooLarge ?? .bodyTooLarge(maxBytes: maxBytes) }
        return length
    }
}

extension Problem {
    static var bodyCutOff: Problem {
        Problem(.badRequest, .invalidRequest, "The body ended early.", headers: [.connection: "close"])
    }
}

extension AppContext {
    /// Lets the connection answer `Expect: 100-continue`, because the handler reads the body.
    func letBodyCome() {
        channel.triggerUserOutboundEvent(ContinueEvent(), promise: nil)
    }
}

/// Asks the connection's guard to send `100 Continue` if the client waits for it.
package struct ContinueEvent: Sendable {
    package init() {}
}

/// The guard has given up on a body because its client is too slow.
package struct BodyTooSlow: Error {
    package init() {}
}
