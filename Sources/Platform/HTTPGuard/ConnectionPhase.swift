import HTTPKit
import NIOHTTP1

extension ConnectionState {
    /// How far the client is with its requests, and how far the connection is with its end.
    ///
    /// Answers are counted apart from it (`OpenRequests`): a client may send the next request while the application still
    /// works on earlier ones.
    enum Phase {
        /// No byte of the next request has arrived. Answers may still be due.
        ///
        /// A client that sends several requests at once takes this phase straight to the ones behind `header`.
        ///
        /// Can turn into: header, asking, collecting, receiving, refusing, draining, broken, flushing, closed.
        case betweenRequests

        /// A part of a request's header has arrived.
        ///
        /// Can turn into: asking, collecting, receiving, refusing, draining, broken, flushing, closed.
        case header

        /// The oldest open request can begin: the handler looks for a place in its lane and reports at once. `isComplete`
        /// says whether the whole request has arrived.
        ///
        /// Can turn into: receiving, refusing, draining (incomplete), betweenRequests, flushing (complete).
        case asking(IncomingRequest, isComplete: Bool)

        /// A small body arrives. The application does not know the request yet, so that a slow sender holds no place.
        ///
        /// Can turn into: asking, betweenRequests (behind open requests), draining, broken, flushing, closed.
        case collecting(IncomingRequest)

        /// The application has the request's head, and gets each part of the body.
        ///
        /// Can turn into: betweenRequests, draining, broken, flushing, closed.
        case receiving(IncomingRequest)

        /// The request has no body and is answered 503 when its end arrives, usually in the same read.
        ///
        /// Can turn into: betweenRequests, broken, flushing, closed.
        case refusing(IncomingRequest)

        /// The request is answered, but its body still arrives. The connection throws it away, so that the client gets to
        /// its answer. `isHandedOn` says whether the application has the request and gets its end.
        ///
        /// Can turn into: betweenRequests, flushing, closed.
        case draining(IncomingRequest, isHandedOn: Bool)

        /// Nothing more is read. The connection ends behind the answers that are still due, and behind `refusal` if the
        /// client's last message deserves an answer. At least one answer is due.
        ///
        /// Can turn into: flushing, closed.
        case broken(refusal: Problem?)

        /// The last answer is on its way to the kernel. Whatever the client sends is thrown away.
        ///
        /// Can turn into: lingering, closed.
        case flushing

        /// The sending side is closed. The connection waits for the client's end, since a close with bytes unread would
        /// be a reset, which may destroy the answer before the client has read it.
        ///
        /// Can turn into: closed.
        case lingering

        /// The connection is closed or about to be. Nothing happens any more.
        case closed
    }

    /// Whether further requests may come on the connection.
    enum Persistence {
        /// Can turn into: quiescing, lastRequest.
        case open
        /// The service is ending. A request on its way still gets its answer, which is then the last one.
        ///
        /// Can turn into: lastRequest.
        case quiescing
        /// The connection ends with the answer to the last request that it has read.
        case lastRequest
    }

    /// A request that has not arrived completely.
    struct IncomingRequest {
        let head: HTTPRequestHead
        let lane: Admission.Lane
        var body: BodyProgress
    }
}

extension ConnectionState.Phase {
    /// Whether the connection ends and takes no further answer of the application.
    var isEnding: Bool {
        switch self {
        case .flushing, .lingering, .closed: true
        default: false
        }
    }

    /// The request whose body is arriving.
    var incoming: ConnectionState.IncomingRequest? {
        switch self {
        case .collecting(let request), .receiving(let request), .draining(let request, _): request
        default: nil
        }
    }

    mutating func changeBody(_ change: (inout BodyProgress) -> Void) {
        guard var request = incoming else { return }
        change(&request.body)
        switch self {
        case .collecting: self = .collecting(request)
        case .receiving: self = .receiving(request)
        case .draining(_, let isHandedOn): self = .draining(request, isHandedOn: isHandedOn)
        default: break
        }
    }
}
