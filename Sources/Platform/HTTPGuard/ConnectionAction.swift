import HTTPKit
import NIOHTTP1

extension ConnectionState {
    /// A step that the handler carries out. The handler takes them in their order.
    enum Action: Equatable {
        // To the application.

        /// Pass on the part of the request (head, body or end) that has just arrived.
        case forward
        /// Pass on a head that was held back, and the body that was collected for it.
        case forwardCollected(HTTPRequestHead)
        /// Tell the reader of the body that the rest will not come.
        case failBody(BodyFailure)

        // Admission.

        /// Look for a place in the lane, then call `placeGranted` or `placeRefused`. Always the last action.
        case askForPlace(Admission.Lane)
        /// Let the request look for a place when the application gets to it.
        case askLater(Admission.Lane)
        case countRefusal(Admission.Lane)

        // The small body of a request that the application does not know yet.

        /// Keep the part of the body that has just arrived, or call `collectingFailed`. Always the last action.
        case collect
        case dropCollected

        // To the client.

        case writeContinue
        case writeOverloaded(HTTPRequestHead, closes: Bool)
        /// Write the last answer of the connection.
        case writeProblem(Problem)
        case flush

        // The socket.

        case read
        case useReadBuffers(isLarge: Bool)
        /// Call `answersWritten` when the kernel has every byte of the last answer. Always the last action.
        case awaitLastAnswer
        /// Close the sending side.
        case closeOutput
        case close

        // Time. There is one deadline for what the client sends, and one for what it takes.

        /// Call `deadlinePassed` after a while; a new deadline replaces the old one.
        case arm(Deadline)
        case disarm
        /// Call `writeDeadlinePassed` after a while.
        case armWriteDeadline
        case disarmWriteDeadline
    }

    /// An event that the connection waits for; the handler knows for how long.
    enum Deadline: Equatable {
        /// The end of a header.
        case header
        /// The next request.
        case nextRequest
        /// The moment in which nothing is read behind a 503.
        case rest
        /// The next look at the pace of a body.
        case body
        /// The end of a body that nobody reads.
        case drain
        /// A request on its way when the service ends.
        case quiesce
        /// The last answer's bytes in the kernel's hands.
        case flush
        /// The client's end.
        case linger
    }

    /// The reason why a body that the application reads ends early.
    enum BodyFailure: Equatable {
        case malformed(HTTPParserError)
        case tooSlow
    }
}

extension HTTPServerOptions {
    /// The time that a deadline leaves.
    ///
    /// - Parameter isCrowded: whether few connections are left. Idle clients then make room sooner.
    func delay(of deadline: ConnectionState.Deadline, isCrowded: Bool) -> Duration {
        switch deadline {
        case .header: isCrowded ? min(headerTimeout, crowdedTimeout) : headerTimeout
        case .nextRequest: isCrowded ? min(idleTimeout, crowdedTimeout) : idleTimeout
        case .rest: refusalRest * Double.random(in: 0.5...1)
        case .body: min(.seconds(1), bodyGrace, bodyTimeout)
        case .drain: drainTimeout
        case .quiesce: quiesceGrace
        case .flush: writeTimeout
        case .linger: .seconds(2)
        }
    }
}
