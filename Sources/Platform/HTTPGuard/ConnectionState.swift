import HTTPKit
import NIOHTTP1

/// Decides what happens on one HTTP/1.1 connection. Pure: each event returns the actions that the handler carries out.
///
/// Whatever the application does, these hold:
///
/// - A header, a body and a pause between requests each have their deadline, and a body has a minimum pace.
/// - A message that two servers could read in two ways is answered 400 and ends the connection.
/// - `100 Continue` is sent when the application reads the body, and not when the request is refused.
/// - A body that the application left unread is read and thrown away up to a limit, so that the client gets to its
///   answer. Then the connection closes.
/// - A request without a place is answered 503 before its body is read and before the application sees it. A small body
///   is complete before its request takes a place.
/// - A client that sends request after request and reads no answer costs a few KiB: the connection stops reading.
/// - Behind a 503 the connection rests for a moment: it reads nothing, so that refusals cannot take the time that the
///   admitted requests need, however fast their clients ask again.
struct ConnectionState {
    typealias Instant = ContinuousClock.Instant

    private(set) var phase = Phase.betweenRequests
    private(set) var persistence = Persistence.open
    /// The requests that have taken a place or wait for one behind others, and are not answered completely.
    private(set) var openRequests = OpenRequests()
    /// Whether the client has closed its sending side.
    private var inputIsClosed = false
    /// Whether the client takes its answers as fast as they come.
    private var isWritable = true
    /// Whether the connection reads nothing for a moment, since its last request was refused.
    private(set) var isResting = false
    /// Whether somebody wanted to read while the connection rested.
    private var owesRead = false
    private let options: HTTPServerOptions

    init(options: HTTPServerOptions) {
        self.options = options
    }

    /// Whether the connection still takes answers of the application.
    var takesAnswers: Bool { !phase.isEnding }

    /// Whether the parser should see what arrives.
    var parsesInput: Bool {
        if case .broken = phase { false } else { takesAnswers }
    }

    // MARK: The client sends

    mutating func opened() -> [Action] { [.arm(.header)] }

    /// Bytes have arrived that the parser has not seen yet.
    mutating func bytesArrived(_ count: Int) -> [Action] {
        let read = wake()
        if case .betweenRequests = phase, persistence != .lastRequest {
            phase = .header
            return [.arm(.header)] + read
        }
        phase.changeBody { $0.framedBytesArrived(count) }
        return read
    }

    /// The parser has seen all bytes that arrived.
    mutating func bytesParsed() -> [Action] {
        guard let body = phase.incoming?.body, body.hasTooMuchFraming else { return [] }
        return parserFailed(.invalidChunkSize)
    }

    /// A request's header is complete.
    ///
    /// - Parameter isFull: whether the request's lane has no place left, or the service no room for its body.
    mutating func headArrived(_ request: IncomingRequest, isFull: Bool) -> [Action] {
        // The request came in one read with the refused one.
        wake() + judge(request, isFull: isFull)
    }

    private mutating func judge(_ request: IncomingRequest, isFull: Bool) -> [Action] {
        switch phase {
        case .betweenRequests, .header: break
        default: return []
        }
        // The answer to an earlier request ends the connection, as the client knows. This request is never handled.
        if persistence == .lastRequest { return stopReading() }
        let (head, body) = (request.head, request.body)
        if let violation = RequestHeadRules.violation(in: head) { return refuse(with: violation) }
        // The client sees the connection close behind the last answer that is due, and repeats the requests from here on.
        guard openRequests.hasRoom(for: head, bodyLength: body.length) else { return stopReading() }
        // Behind an upgrade the parser reads no further request.
        if !head.isKeepAlive || head.headers.contains(name: "upgrade") { persistence = .lastRequest }
        let timer: Action = body.isEmpty ? .disarm : .arm(.body)
        if openRequests.isEmpty, isFull { return [timer] + refuseForOverload(request, isComplete: false) }
        if request.lane == .short, !body.isEmpty {
            phase = .collecting(request)
            return [timer]
        }
        if openRequests.isEmpty {
            phase = .asking(request, isComplete: false)
            return [timer, .askForPlace(request.lane)]
        }
        return [timer, .askLater(request.lane)] + receive(request)
    }

    /// A part of a request's body has arrived.
    mutating func bodyArrived(_ count: Int, now: Instant) -> [Action] {
        phase.changeBody { $0.arrived(count, now: now) }
        switch phase {
        case .receiving:
            return [.forward]
        case .collecting:
            return [.collect]
        case .draining(let request, _) where request.body.drained > options.maxDrainBytes:
            return close()
        default:
            return []
        }
    }

    /// The memory for the small bodies of all connections has no room for this one.
    mutating func collectingFailed() -> [Action] {
        guard case .collecting(let request) = phase else { return [] }
        if openRequests.isEmpty { return [.dropCollected] + refuseForOverload(request, isComplete: false) }
        return [.countRefusal(request.lane)] + refuse(with: .overloaded())
    }

    /// A request is complete.
    mutating func endArrived() -> [Action] {
        switch phase {
        case .receiving(let request):
            phase = .betweenRequests
            return [.disarm] + smallBuffers(after: request) + [.forward]
        case .collecting(let request):
            if openRequests.isEmpty {
                phase = .asking(request, isComplete: true)
                return [.disarm, .askForPlace(request.lane)]
            }
            return [.disarm, .askLater(request.lane)] + handOnCollected(request)
        case .refusing(let request):
            phase = .betweenRequests
            return [.disarm] + answerOverloaded(request)
        case .draining(let request, let isHandedOn):
            phase = .betweenRequests
            return [.disarm] + smallBuffers(after: isHandedOn ? request : nil)
                + (isHandedOn ? [.forward] : []) + allAnswered()
        default:
            return []
        }
    }

    /// The parser cannot read what the client sends.
    mutating func parserFailed(_ error: HTTPParserError) -> [Action] {
        switch phase {
        case .betweenRequests, .header:
            // Nothing is read behind an answer that ends the connection, so that faults there are not reported.
            return persistence == .lastRequest ? stopReading() : refuse(with: .forParser(error))
        case .asking, .collecting, .refusing:
            return refuse(with: .forParser(error))
        case .receiving:
            // A handler that reads the body gets the error. A handler that does not need the body still answers.
            return stopReading() + [.failBody(.malformed(error))]
        case .draining:
            return close()
        case .broken, .flushing, .lingering, .closed:
            return []
        }
    }

    /// Every byte that had arrived has been read.
    mutating func readCompleted(now: Instant) -> [Action] {
        phase.changeBody { $0.waitEnded(now: now) }
        switch phase {
        // The application's backpressure must not stop what the application does not get.
        case .draining, .flushing, .lingering: return [.read]
        default: return []
        }
    }

    /// The application, or the channel by itself, wants to read.
    mutating func readRequested(now: Instant) -> [Action] {
        if isResting {
            owesRead = true
            return []
        }
        switch phase {
        case .broken, .closed: return []
        default: phase.changeBody { $0.waitBegan(now: now) }
        }
        return [.read]
    }

    mutating func inputClosed() -> [Action] {
        inputIsClosed = true
        if case .lingering = phase { return close() }
        return []
    }

    // MARK: Admission

    mutating func placeGranted() -> [Action] {
        guard case .asking(let request, let isComplete) = phase else { return [] }
        return isComplete ? handOnCollected(request) : receive(request)
    }

    mutating func placeRefused() -> [Action] {
        guard case .asking(let request, let isComplete) = phase else { return [] }
        return (isComplete ? [.dropCollected] : []) + refuseForOverload(request, isComplete: isComplete)
    }

    // MARK: The application answers

    /// The application reads a body for which the client may wait with `Expect: 100-continue`.
    mutating func continueRequested() -> [Action] {
        guard case .receiving(let request) = phase, request.body.awaitsContinue else { return [] }
        phase.changeBody { $0.awaitsContinue = false }
        return [.writeContinue]
    }

    /// The head of the oldest request's answer is there.
    ///
    /// - Returns: whether the answer must say `Connection: close`.
    mutating func answerBegins(saysClose: Bool) -> Bool {
        openRequests.answerBegins()
        var isLast = openRequests.count == 1
        switch phase {
        case .collecting, .broken(refusal: .some):
            isLast = false
        case .receiving(let request) where isLast && !request.body.isWorthFinishing:
            persistence = .lastRequest
        case .header:
            break
        default:
            if isLast, persistence == .quiescing { persistence = .lastRequest }
        }
        if saysClose { persistence = .lastRequest }
        return isLast && persistence == .lastRequest
    }

    /// The last part of the oldest request's answer is written.
    mutating func answerEnded() -> [Action] {
        guard takesAnswers else { return [] }
        openRequests.answerEnded()
        return openRequests.isEmpty ? allAnswered() : []
    }

    /// The application is done with the connection, which stays open only to throw away the rest of a refused body.
    mutating func outputClosed() -> [Action] {
        persistence = .lastRequest
        if case .draining = phase { return [] }
        return closeGently()
    }

    /// The last answer is in the kernel's hands.
    mutating func answersWritten() -> [Action] {
        guard case .flushing = phase else { return [] }
        if inputIsClosed { return close() }
        phase = .lingering
        return [.closeOutput, .arm(.linger), .read]
    }

    mutating func writabilityChanged(_ isWritable: Bool) -> [Action] {
        self.isWritable = isWritable
        if case .closed = phase { return [] }
        return [isWritable ? .disarmWriteDeadline : .armWriteDeadline]
    }

    // MARK: Time

    /// The service is ending. An idle connection stays for a moment, since a request may be on its way.
    mutating func quiesce() -> [Action] {
        if persistence == .open { persistence = .quiescing }
        guard case .betweenRequests = phase, openRequests.isEmpty else { return [] }
        return wake() + [.arm(.quiesce)]
    }

    mutating func deadlinePassed(now: Instant) -> [Action] {
        if isResting { return wake() + [.arm(.nextRequest)] }
        switch phase {
        case .header:
            return persistence == .lastRequest ? stopReading() : refuse(with: .bodyTooSlow)
        case .collecting(let request):
            return request.body.isTooSlow(options, now: now) ? refuse(with: .bodyTooSlow) : [.arm(.body)]
        case .receiving(let request):
            guard request.body.isTooSlow(options, now: now) else { return [.arm(.body)] }
            return stopReading() + [.failBody(.tooSlow)]
        // A client that has sent nothing gets no answer. A client that has its answer had enough time to send the rest.
        case .betweenRequests, .draining, .flushing, .lingering:
            return close()
        case .asking, .refusing, .broken, .closed:
            return []
        }
    }

    /// The client has taken nothing of its answers for too long.
    mutating func writeDeadlinePassed() -> [Action] { close() }

    /// The connection is gone.
    mutating func closed() {
        phase = .closed
        isResting = false
    }

    // MARK: Within

    private mutating func receive(_ request: IncomingRequest) -> [Action] {
        openRequests.append(request.head, bodyLength: request.body.length)
        phase = .receiving(request)
        return largeBuffers(for: request) + [.forward]
    }

    private mutating func handOnCollected(_ request: IncomingRequest) -> [Action] {
        openRequests.append(request.head, bodyLength: request.body.length)
        phase = .betweenRequests
        return [.forwardCollected(request.head), .forward]
    }

    private func largeBuffers(for request: IncomingRequest) -> [Action] {
        request.lane == .bulk && !request.body.isEmpty ? [.useReadBuffers(isLarge: true)] : []
    }

    private func smallBuffers(after request: IncomingRequest?) -> [Action] {
        guard let request, request.lane == .bulk, !request.body.isEmpty else { return [] }
        return [.useReadBuffers(isLarge: false)]
    }

    /// Answers 503: at once if a body would have to be read first, otherwise when the request ends, a moment later.
    private mutating func refuseForOverload(_ request: IncomingRequest, isComplete: Bool) -> [Action] {
        let count = Action.countRefusal(request.lane)
        if isComplete {
            phase = .betweenRequests
            return [count] + answerOverloaded(request)
        }
        guard !request.body.isEmpty else {
            phase = .refusing(request)
            return [count]
        }
        var rest = request
        rest.body.drainBegins()
        if !request.body.isWorthFinishing { persistence = .lastRequest }
        phase = .draining(rest, isHandedOn: false)
        return [count] + answerOverloaded(request) + [.arm(.drain), .read]
    }

    private mutating func answerOverloaded(_ request: IncomingRequest) -> [Action] {
        // A client that does not read its refusals gets no more of them.
        if persistence == .quiescing || !isWritable { persistence = .lastRequest }
        return [.writeOverloaded(request.head, closes: persistence == .lastRequest)] + rest()
    }

    /// Reads nothing for a moment if the connection is between requests and goes on.
    private mutating func rest() -> [Action] {
        guard case .betweenRequests = phase, persistence == .open, !inputIsClosed else {
            return allAnswered()
        }
        isResting = true
        return [.arm(.rest)]
    }

    private mutating func wake() -> [Action] {
        defer { (isResting, owesRead) = (false, false) }
        return owesRead ? [.read] : []
    }

    /// Every request that was handed on has its answer.
    private mutating func allAnswered() -> [Action] {
        switch phase {
        case .receiving(var request):
            request.body.drainBegins()
            phase = .draining(request, isHandedOn: true)
            return [.arm(.drain), .flush, .read]
        case .betweenRequests where persistence == .open && !inputIsClosed:
            return [.arm(.nextRequest)]
        case .header where persistence != .lastRequest:
            return []
        case .broken(let refusal?):
            return [.writeProblem(refusal)] + closeGently()
        case .betweenRequests, .header, .broken:
            return closeGently()
        case .asking, .collecting, .refusing, .draining, .flushing, .lingering, .closed:
            return []
        }
    }

    /// Ends the connection behind the answers that are due.
    private mutating func stopReading() -> [Action] {
        persistence = .lastRequest
        phase = .broken(refusal: nil)
        return [.disarm] + (openRequests.isEmpty ? closeGently() : [])
    }

    /// Ends the connection behind the answers that are due and a last one that gives the reason.
    private mutating func refuse(with problem: Problem) -> [Action] {
        let drop = dropCollected
        phase = .broken(refusal: problem)
        return drop + [.disarm] + (openRequests.isEmpty ? allAnswered() : [])
    }

    private mutating func closeGently() -> [Action] {
        guard takesAnswers else { return [] }
        let drop = dropCollected
        phase = .flushing
        isResting = false
        return drop + [.flush, .arm(.flush), .awaitLastAnswer]
    }

    private var dropCollected: [Action] {
        if case .collecting = phase { [.dropCollected] } else { [] }
    }

    private mutating func close() -> [Action] {
        if case .closed = phase { return [] }
        closed()
        return [.close]
    }
}
