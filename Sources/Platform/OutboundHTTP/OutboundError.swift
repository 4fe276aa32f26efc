import AsyncHTTPClient
import NIOCore

/// Why an exchange brought no whole answer. The cases tell what the other side may have done about the request.
package enum OutboundError: Error, Sendable {
    /// No connection of our own was free in time. The other side was not asked and is not at fault.
    case noConnectionFree
    /// No connection to the other side came about, so it did not get the request. Only requests that ask for it
    /// (`tellsIfSent`) get this case.
    case notSent(OutboundFailure)
    /// The request went out, or may have gone out, and no answer came: the other side may have acted on it.
    case unanswered(OutboundFailure)
    /// The answer began and did not end as it should: its status holds, its body is not whole.
    case cutOff(OutboundHead, OutboundFailure)
    /// The calling task was cancelled.
    case cancelled

    package var failure: OutboundFailure? {
        switch self {
        case .notSent(let failure), .unanswered(let failure), .cutOff(_, let failure): failure
        case .noConnectionFree, .cancelled: nil
        }
    }

    /// For logs: holds nothing of the request or of the answer.
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
    /// The answer is longer than the request allows.
    case tooLarge
    /// The connection failed or broke.
    case broken(any Error)

    init(_ error: any Error) {
        self = error is NIOTooManyBytesError ? .tooLarge : .broken(error)
    }

    /// For logs.
    package var reason: String {
        switch self {
        case .timeout: "no answer in time"
        case .tooLarge: "an answer that is too long"
        case .broken(let error as HTTPClientError): error.shortDescription
        case .broken(let error): "\(type(of: error))"
        }
    }
}
