import Foundation
import NIOCore
import NIOHTTP1

/// Keeps one HTTP/1.1 connection within its limits. It stands between the parser and the application, so whatever handles
/// requests (and however it fails) these hold:
///
/// - a header, a body, a pause each have their time, and a body its minimum pace;
/// - a message that could be read in two ways is answered 400 and ends the connection;
/// - `100 Continue` is sent when somebody reads the body, and not when it is refused;
/// - what an application left unread is read and thrown away up to a limit, so that the client gets to its answer; then
///   the connection closes.
final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let options: HTTPServerOptions
    private var context: ChannelHandlerContext?

    /// Where the client is.
    private var input = Input.betweenRequests
    /// Requests handed on whose answer is not complete.
    private var openAnswers = 0
    private var body = BodyProgress()
    /// The connection ends with the answer under way.
    private var closesAfterAnswer = false
    /// What goes out once all answers before it have.
    private var refusal: Problem?
    private var isClosing = false
    private var inputIsClosed = false
    /// Done when the last answer's bytes are in the kernel's hands.
    private var lastAnswer: EventLoopFuture<Void>?

    private var inputTimer = Deferred()
    private var writeTimer = Deferred()

    private enum Input {
        case betweenRequests
        case header
        case body
        /// Its answer is out: nobody wants the rest.
        case unwantedBody
        /// Not to be understood, or not wanted, any more.
        case broken
    }

    /// What the input timer is for.
    private enum Deadline {
        case header
        case nextRequest
        case body
        case closing
    }

    init(options: HTTPServerOptions) {
        self.options = options
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { startTimer(.header, options.headerTimeout) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        inputTimer.cancel()
        writeTimer.cancel()
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        startTimer(.header, options.headerTimeout)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        inputTimer.cancel()
        writeTimer.cancel()
        context.fireChannelInactive()
    }

    // MARK: From the client

    /// Called for all bytes, before the parser sees them.
    func bytesArrived() {
        guard case .betweenRequests = input, !isClosing, !closesAfterAnswer else { return }
        input = .header
        startTimer(.header, options.headerTimeout)
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

    private func headArrived(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        inputTimer.cancel()
        // The answer to the one before ends the connection: this one is never handled, and its sender knows that.
        if closesAfterAnswer {
            input = .broken
            return
        }
        if let violation = RequestHeadRules.violation(in: head) {
            return refuse(with: violation)
        }
        // Behind an upgrade the parser reads no further request.
        closesAfterAnswer = !head.isKeepAlive || head.headers.contains(name: "upgrade")
        body = BodyProgress(
            length: RequestHeadRules.bodyLength(of: head),
            awaitsContinue: RequestHeadRules.expectsContinue(head))
        input = .body
        openAnswers += 1
        if body.length != 0 { watchBody() }
        context.fireChannelRead(Self.wrapInboundOut(.head(head)))
    }

    private func bodyArrived(_ bytes: ByteBuffer, _ data: NIOAny, _ context: ChannelHandlerContext) {
        body.arrived(bytes.readableBytes)
        switch input {
        case .body:
            // A client may tire of waiting for its 100.
            body.awaitsContinue = false
            context.fireChannelRead(data)
        case .unwantedBody:
            if body.drained > options.maxDrainBytes { closeNow() }
        case .betweenRequests, .header, .broken:
            break
        }
    }

    private func bodyEnded(_ data: NIOAny, _ context: ChannelHandlerContext) {
        inputTimer.cancel()
        let wasUnwanted = if case .unwantedBody = input { true } else { false }
        input = .betweenRequests
        context.fireChannelRead(data)
        if wasUnwanted { answersEnded() }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        body.waitEnded()
        context.fireChannelReadComplete()
        // The application's backpressure must not stop what it does not get.
        if isClosing { return context.read() }
        if case .unwantedBody = input { context.read() }
    }

    func read(context: ChannelHandlerContext) {
        body.waitBegan()
        context.read()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        guard !isClosing, refusal == nil else { return }
        inputTimer.cancel()
        switch input {
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
        context.fireUserInboundEventTriggered(event)
    }

    // MARK: To the client

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard event is ContinueEvent else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        promise?.succeed()
        guard body.awaitsContinue, case .body = input else { return }
        body.awaitsContinue = false
        let head = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(Self.wrapOutboundOut(.head(head)), promise: nil)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isClosing else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch Self.unwrapOutboundIn(data) {
        case .head(var head) where head.status.code >= 200:
            if case .body = input, openAnswers == 1, !body.isWorthFinishing { closesAfterAnswer = true }
            if head.headers[canonicalForm: "connection"].contains("close") { closesAfterAnswer = true }
            if closesAfterAnswer, openAnswers == 1 {
                head.headers.replaceOrAdd(name: "connection", value: "close")
            }
            context.write(Self.wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            let written = promise ?? context.eventLoop.makePromise(of: Void.self)
            lastAnswer = written.futureResult
            context.write(data, promise: written)
            openAnswers -= 1
            if openAnswers == 0 { answersEnded() }
        case .head, .body:
            context.write(data, promise: promise)
        }
    }

    /// Every request that was handed on has its answer.
    private func answersEnded() {
        guard openAnswers == 0, let context else { return }
        if let refusal { return send(refusal) }
        switch input {
        case .body:
            input = .unwantedBody
            body.drainBegins()
            startTimer(.body, options.drainTimeout)
            context.flush()
            context.read()
        case .betweenRequests where !closesAfterAnswer && !inputIsClosed:
            startTimer(.nextRequest, options.idleTimeout)
        case .header where !closesAfterAnswer, .unwantedBody:
            break
        case .betweenRequests, .header, .broken:
            closeGently()
        }
    }

    /// The application is done with the connection: it goes on only to get rid of what the client still sends.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard case .output = mode else { return context.close(mode: mode, promise: promise) }
        promise?.succeed()
        closesAfterAnswer = true
        if case .unwantedBody = input { return }
        closeGently()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        writeTimer.cancel()
        if !context.channel.isWritable {
            writeTimer.start(after: options.writeTimeout, on: context.eventLoop) { [weak self] in
                self?.closeNow()
            }
        }
        context.fireChannelWritabilityChanged()
    }

    // MARK: Ends

    /// Answers with a problem of its own, after the answers that are still due, and ends the connection.
    private func refuse(with problem: Problem) {
        inputTimer.cancel()
        input = .broken
        refusal = problem
        if openAnswers == 0 { send(problem) }
    }

    private func send(_ problem: Problem) {
        guard let context, !isClosing else { return }
        let requestID = UUID().uuidString.lowercased()
        let body = problem.body(requestID: requestID)
        let head = HTTPResponseHead(
            version: .http1_1, status: .init(statusCode: problem.status.code),
            headers: [
                "content-type": "application/problem+json", "content-length": "\(body.readableBytes)",
                "cache-control": "no-store", "x-content-type-options": "nosniff", "x-request-id": requestID,
                "connection": "close",
            ])
        context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
        context.write(Self.wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        let written = context.eventLoop.makePromise(of: Void.self)
        lastAnswer = written.futureResult
        context.write(Self.wrapOutboundOut(.end(nil)), promise: written)
        closeGently()
    }

    /// Ends the sending side when all is sent and waits a moment for the client's end: a close with bytes unread would be
    /// a reset, which may destroy the answer before the client has read it.
    private func closeGently() {
        guard let context, !isClosing else { return }
        isClosing = true
        context.flush()
        startTimer(.closing, options.writeTimeout)
        guard let lastAnswer else { return shutDown() }
        lastAnswer.assumeIsolated().whenComplete { [weak self] _ in self?.shutDown() }
    }

    private func shutDown() {
        guard let context else { return }
        if inputIsClosed { return closeNow() }
        context.close(mode: .output, promise: nil)
        startTimer(.closing, .seconds(2))
        context.read()
    }

    private func closeNow() {
        isClosing = true
        context?.close(promise: nil)
    }

    // MARK: Times

    private func startTimer(_ deadline: Deadline, _ delay: Duration) {
        guard let context else { return }
        inputTimer.start(after: delay, on: context.eventLoop) { [weak self] in self?.timedOut(deadline) }
    }

    private func timedOut(_ deadline: Deadline) {
        switch (deadline, input) {
        case (.header, .header): refuse(with: .headerTooSlow)
        case (.body, .body): checkBody()
        // Who has sent nothing gets nothing; who was answered and still sends has had the time.
        default: closeNow()
        }
    }

    /// Looks at the body every second until it is there.
    private func watchBody() {
        startTimer(.body, min(.seconds(1), options.bodyGrace, options.bodyTimeout))
    }

    private func checkBody() {
        guard body.isTooSlow(options), let context else { return watchBody() }
        input = .broken
        closesAfterAnswer = true
        context.fireErrorCaught(BodyTooSlow())
    }
}
