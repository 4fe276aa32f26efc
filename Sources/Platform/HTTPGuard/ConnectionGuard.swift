import Foundation
import HTTPKit
import NIOCore
import NIOHTTP1

/// Keeps one HTTP/1.1 connection within its limits. It stands between the parser and the application, so whatever handles
/// requests (and however it fails) these hold:
///
/// - a header, a body, a pause each have their time, and a body its minimum pace;
/// - a message that could be read in two ways is answered 400 and ends the connection;
/// - `100 Continue` is sent when somebody reads the body, and not when it is refused;
/// - what an application left unread is read and thrown away up to a limit, so that the client gets to its answer; then
///   the connection closes;
/// - a request for which there is no place is answered 503, before its body is read and before anybody else sees it; a
///   small body is complete before its request takes a place;
/// - a client that sends request after request and reads no answer costs a few KiB: the connection stops reading.
final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    let options: HTTPServerOptions
    let admission: Admission
    let connections: ConnectionLimit
    let decisions: AdmissionQueue
    var context: ChannelHandlerContext?
    /// What stands before the parser and the encoder. Both live as long as their connection.
    var wire: FirstByteObserver?

    /// Where the client is.
    var input = Input.betweenRequests
    /// Requests that are not answered completely, those that wait for their body not counted.
    var openRequests = OpenRequests()
    var openAnswers: Int { openRequests.count }
    var body = BodyProgress()
    /// A request that waits for the rest of its small body.
    var pending: PendingRequest?
    /// A request that is answered 503 as soon as it is complete.
    var unwanted: HTTPRequestHead?
    /// Whether the application gets the end of the request under way.
    var isHandedOn = false
    /// Whether the connection reads into large buffers, for a large body.
    var readsLargeBody = false
    /// The connection ends with the answer under way.
    var closesAfterAnswer = false
    /// What goes out once all answers before it have.
    var refusal: Problem?
    var isClosing = false
    /// The service is ending: no request comes after those under way.
    var isQuiescing = false
    var inputIsClosed = false
    /// Done when the last answer's bytes are in the kernel's hands.
    var lastAnswer: EventLoopFuture<Void>?

    let inputTimer = Deferred()
    let writeTimer = Deferred()

    enum Input {
        case betweenRequests
        case header
        case body
        /// Its answer is out: nobody wants the rest.
        case unwantedBody
        /// Not to be understood, or not wanted, any more.
        case broken
    }

    /// What the input timer is for.
    enum Deadline {
        case header
        case nextRequest
        case body
        case closing
    }

    init(
        options: HTTPServerOptions, admission: Admission, connections: ConnectionLimit,
        decisions: AdmissionQueue
    ) {
        self.options = options
        self.admission = admission
        self.connections = connections
        self.decisions = decisions
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { startTimer(.header, headerTimeout) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        inputTimer.end()
        writeTimer.end()
        wire = nil
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        startTimer(.header, headerTimeout)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        inputTimer.end()
        writeTimer.end()
        pending = nil
        context.fireChannelInactive()
    }

    // MARK: From the client

    /// Called for all bytes, before the parser sees them.
    ///
    /// - Returns: false where nobody needs them.
    func bytesArrived(_ count: Int) -> Bool {
        switch input {
        case .broken:
            return false
        case .body, .unwantedBody:
            body.framedBytesArrived(count)
        case .betweenRequests where !isClosing && !closesAfterAnswer:
            input = .header
            startTimer(.header, headerTimeout)
        case .betweenRequests, .header:
            break
        }
        return !isClosing
    }

    /// Called after the parser has seen all bytes that arrived.
    func bytesParsed() {
        guard body.hasTooMuchFraming, let context else { return }
        switch input {
        case .body, .unwantedBody: errorCaught(context: context, error: HTTPParserError.invalidChunkSize)
        case .betweenRequests, .header, .broken: break
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isClosing { return }
        if case .broken = input { return }
        switch Self.unwrapInboundIn(data) {
        case .head(let head): headArrived(head, context)
        case .body(let bytes): bodyArrived(bytes, data, context)
        case .end: bodyEnded(data, context)
        }
    }

    func headArrived(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        inputTimer.cancel()
        // The answer to the one before ends the connection: this one is never handled, and its sender knows that.
        if closesAfterAnswer {
            input = .broken
            return
        }
        if let violation = RequestHeadRules.violation(in: head) {
            return refuse(with: violation)
        }
        let bodyLength = RequestHeadRules.bodyLength(of: head)
        guard openRequests.hasRoom(for: head, bodyLength: bodyLength) else { return readNoFurther() }
        // Behind an upgrade the parser reads no further request.
        closesAfterAnswer = !head.isKeepAlive || head.headers.contains(name: "upgrade")
        body = BodyProgress(
            length: bodyLength, awaitsContinue: RequestHeadRules.expectsContinue(head))
        input = .body
        isHandedOn = false
        if body.length != 0 { watchBody() }
        let method = head.method.rawValue
        let lane = admission.lane(method: method, target: head.uri, body: body)
        if openAnswers == 0, admission.isFull(lane, method: method, target: head.uri, body: body) {
            return turnAway(head, lane)
        }
        if lane == .short, body.length != 0 {
            pending = PendingRequest(head: head, lane: lane)
        } else {
            handOn(head, lane, context)
        }
    }

    /// Gives the request to the application, if there is a place for it.
    func handOn(_ head: HTTPRequestHead, _ lane: Admission.Lane, _ context: ChannelHandlerContext) {
        if openAnswers == 0 {
            guard let place = admission.admit(lane) else { return turnAway(head, lane) }
            decisions.push(.admitted(place))
        } else {
            decisions.push(.later(lane))
        }
        openRequests.append(head, bodyLength: body.length)
        isHandedOn = true
        if lane == .bulk, case .body = input { readLargeBody(true) }
        context.fireChannelRead(Self.wrapInboundOut(.head(head)))
    }

    /// 503: at once where a body would have to be read first, else when the request ends, a moment later.
    func turnAway(_ head: HTTPRequestHead, _ lane: Admission.Lane) {
        admission.refused(lane)
        pending = nil
        if case .body = input, body.length != 0 { answerOverloaded(head) } else { unwanted = head }
    }

    func answerOverloaded(_ request: HTTPRequestHead) {
        guard let context, let wire, !isClosing else { return }
        if case .body = input, !body.isWorthFinishing { closesAfterAnswer = true }
        // A client that does not read its refusals gets no more of them.
        if isQuiescing || !context.channel.isWritable { closesAfterAnswer = true }
        let bytes = OverloadAnswer.bytes(
            requestID: request.headers.first(name: "x-request-id").flatMap(RequestID.accepted),
            closes: closesAfterAnswer, hasBody: request.method != .HEAD)
        let written = closesAfterAnswer ? context.eventLoop.makePromise(of: Void.self) : nil
        lastAnswer = written?.futureResult
        wire.send(bytes, promise: written)
        answersEnded()
    }

    func bodyArrived(_ bytes: ByteBuffer, _ data: NIOAny, _ context: ChannelHandlerContext) {
        body.arrived(bytes.readableBytes)
        switch input {
        case .body:
            // A client may tire of waiting for its 100.
            body.awaitsContinue = false
            if isHandedOn { return context.fireChannelRead(data) }
            guard let request = pending else { return }
            guard !request.append(bytes, within: admission.pending) else { return }
            if openAnswers == 0 { return turnAway(request.head, request.lane) }
            admission.refused(request.lane)
            pending = nil
            refuse(with: .overloaded())
        case .unwantedBody:
            if body.drained > options.maxDrainBytes { closeNow() }
        case .betweenRequests, .header, .broken:
            break
        }
    }

    func bodyEnded(_ data: NIOAny, _ context: ChannelHandlerContext) {
        inputTimer.cancel()
        readLargeBody(false)
        let wasUnwanted = if case .unwantedBody = input { true } else { false }
        input = .betweenRequests
        if let request = pending {
            pending = nil
            handOn(request.head, request.lane, context)
            if isHandedOn, let bytes = request.body {
                context.fireChannelRead(Self.wrapInboundOut(.body(bytes)))
            }
        }
        if isHandedOn { context.fireChannelRead(data) }
        if let request = unwanted {
            unwanted = nil
            return answerOverloaded(request)
        }
        if wasUnwanted { answersEnded() }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        body.waitEnded()
        context.fireChannelReadComplete()
        // The application's backpressure must not stop what it does not get.
        if isClosing { return context.read() }
        if case .unwantedBody = input { context.read() }
    }

    /// The client repeats the requests from here on: it sees the connection close behind the last answer that it is owed.
    func readNoFurther() {
        input = .broken
        closesAfterAnswer = true
    }

    func readLargeBody(_ isLarge: Bool) {
        guard isLarge != readsLargeBody, let channel = context?.channel else { return }
        readsLargeBody = isLarge
        // The socket may be closed already.
        try? SocketBuffers.setReadSize(isLarge: isLarge, of: channel)
    }

    func read(context: ChannelHandlerContext) {
        if case .broken = input, !isClosing, openAnswers > 0 { return }
        body.waitBegan()
        context.read()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        guard !isClosing, refusal == nil else { return }
        inputTimer.cancel()
        switch input {
        case .body where !isHandedOn:
            pending = nil
            unwanted = nil
            refuse(with: .forParser(error))
        case .body:
            // Whoever reads the body finds out; whoever answers without it does so.
            input = .broken
            closesAfterAnswer = true
            context.fireErrorCaught(error)
        case .unwantedBody:
            closeNow()
        case .broken:
            break
        case .betweenRequests, .header:
            // Behind an answer that ends the connection nothing is read, not even its faults.
            if closesAfterAnswer { input = .broken } else { refuse(with: .forParser(error)) }
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event {
            inputIsClosed = true
            if isClosing { shutDown() }
        }
        if event is ChannelShouldQuiesceEvent { return quiesce() }
        context.fireUserInboundEventTriggered(event)
    }
}
