import AsyncHTTPClient
import NIOCore

/// The reason why an exchange brought no complete answer. The cases differ in what the server may have done with the
/// request.
package enum OutboundError: Error, Sendable {
    /// No connection of our own became free in time. The request was not sent, and the server is not at fault.
    case noConnectionFree
    /// No connection to the server could be made, so it did not get the request. Only requests with `tellsIfSent` get this
    /// case.
    case notSent(OutboundFailure)
    /// The request was sent, or may have been sent, and no answer came. The server may have acted on it.
    case unanswered(OutboundFailure)
    /// The answer began and broke off. Its status is valid, but its body is incomplete.
    case cutOff(OutboundHead, OutboundFailure)
    /// The calling task was cancelled.
    case cancelled

    package var failure: OutboundFailure? {
        switch self {
        case .notSent(let failure), .unanswered(let failure), .cutOff(_, let failure): failure
        case .noConnectionFree, .cancelled: nil
        }
    }

    /// A text for logs, without anything from the request or the answer.
    package var reason: String {
        switch self {
        case .noConnectionFree: "no connection of our own is free"
        case .cancelled: "cancelled"
        case .notSent(let failure), .unanswered(let failure), .cutOff(_, let failure): failure.reason
        }
    }
}

package enum OutboundFailure: Sendable {
    /// The exchange did not end within its time.
    case timeout
    /// The answer is longer than `maxResponseBytes`.
    case tooLarge
    /// The connection failed or broke.
    case broken(any Error)

    init(_ error: any Error) {
        self = error is NIOTooManyBytesError ? .tooLarge : .broken(error)
    }

    /// A text for logs.
    package var reason: String {
        switch self {
        case .timeout: "no answer in time"
        case .tooLarge: "an answer that is too long"
        case .broken(let error): ConnectionFault.text(error)
        }
    }
}
