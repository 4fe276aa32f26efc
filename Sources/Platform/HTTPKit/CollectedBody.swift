import Foundation
import Hummingbird
import NIOCore

/// A body in memory, and the part of the budget that it holds for as long as this value lives.
package struct CollectedBody: Sendable {
    package let buffer: ByteBuffer
    /// Keep it (or the whole value) while the bytes are in use; `release()` gives back early.
    package let reservation: BodyBudget.Reservation
}

extension Request {
    /// Reads the whole body, at most `maxBytes`, within `budget`: what `Content-Length` says, or `maxBytes` without one,
    /// is taken from it before the first byte is read.
    ///
    /// The pace (a deadline, a minimum rate) is the connection's business: see `HTTPServerOptions`.
    ///
    /// - Parameters:
    ///   - holder: whose part of the budget it is.
    ///   - tooLarge: what is thrown when there is more; `body_too_large` unless given.
    /// - Throws: `Problem`: `tooLarge` (before reading where the client says so), 503 `overloaded` before anything is
    ///   read when the budget is spent, 400 for a body that ends early, 408 for a client that is too slow.
    package func collectBody(
        maxBytes: Int, budget: BodyBudget, holder: UUID? = nil, tooLarge: Problem? = nil, context: AppContext
    ) async throws -> CollectedBody {
        try requireIdentityEncoding()
        let declared = try declaredLength(maxBytes: maxBytes, tooLarge: tooLarge)
        let reservation = try budget.reserve(declared ?? maxBytes, for: holder)
        let buffer = try await readBody(maxBytes: maxBytes, tooLarge: tooLarge, context: context)
        reservation.shrink(to: buffer.readableBytes)
        return CollectedBody(buffer: buffer, reservation: reservation)
    }

    func readBody(maxBytes: Int, tooLarge: Problem?, context: AppContext) async throws -> ByteBuffer {
        let declared = try declaredLength(maxBytes: maxBytes, tooLarge: tooLarge)
        if headers[.expect] != nil { context.letBodyCome() }
        var collected = ByteBuffer()
        if let declared { collected.reserveCapacity(declared) }
        do {
            for try await var chunk in body {
                guard collected.readableBytes + chunk.readableBytes <= maxBytes else {
                    throw tooLarge ?? .bodyTooLarge(maxBytes: maxBytes)
                }
                collected.writeBuffer(&chunk)
            }
        } catch  where error is ChannelError || error is IOError {
            // Its sender has gone.
            context.logger.debug("body cut off", metadata: ["error": .string(String(reflecting: error))])
            throw Problem.bodyCutOff
        }
        guard declared == nil || declared == collected.readableBytes else { throw Problem.bodyCutOff }
        return collected
    }

    /// `Content-Length`, nil without one.
    private func declaredLength(maxBytes: Int, tooLarge: Problem?) throws(Problem) -> Int? {
        guard let field = headers[.contentLength] else { return nil }
        guard let length = Int(field), length >= 0 else {
            // Digits that are no Int are a length beyond every limit.
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
    /// Answers `Expect: 100-continue`: somebody wants the body.
    func letBodyCome() {
        channel.triggerUserOutboundEvent(ContinueEvent(), promise: nil)
    }
}

/// Asks the connection's guard for `100 Continue`, where the client waits for it.
package struct ContinueEvent: Sendable {
    package init() {}
}

/// The body has not come within the time, or not at the pace, that it may take.
package struct BodyTooSlow: Error {
    package init() {}
}
