import Foundation
import HTTPKit
import NIOCore
import NIOHTTP1

extension ConnectionGuard {
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
            decisions.answerBegins()
            openRequests.answerBegins()
            let isLast = openAnswers == 1 && pending == nil
            if case .body = input, isLast, !body.isWorthFinishing { closesAfterAnswer = true }
            if head.headers[canonicalForm: "connection"].contains("close") { closesAfterAnswer = true }
            if isQuiescing, isLast, !isHeaderUnderWay { closesAfterAnswer = true }
            if closesAfterAnswer, isLast {
                head.headers.replaceOrAdd(name: "connection", value: "close")
            }
            context.write(Self.wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            let written = promise ?? context.eventLoop.makePromise(of: Void.self)
            lastAnswer = written.futureResult
            // The encoder would end a body of unknown length by an empty chunk, which an answer to HEAD has not.
            let end =
                openRequests.isAnswerToHead ? Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))) : data
            context.write(end, promise: written)
            openRequests.answerEnded()
            if openAnswers == 0 { answersEnded() }
        case .head, .body:
            context.write(data, promise: promise)
        }
    }

    var isHeaderUnderWay: Bool { if case .header = input { true } else { false } }

    /// No request comes after those under way. An idle connection stays for a moment: a request may be on its way, and it
    /// gets its answer.
    func quiesce() {
        isQuiescing = true
        if case .betweenRequests = input, openAnswers == 0 { startTimer(.nextRequest, options.quiesceGrace) }
    }

    /// Every request that was handed on has its answer.
    func answersEnded() {
        guard openAnswers == 0, let context else { return }
        if let refusal { return send(refusal) }
        switch input {
        case .body where pending != nil:
            break
        case .body:
            input = .unwantedBody
            body.drainBegins()
            startTimer(.body, options.drainTimeout)
            context.flush()
            context.read()
        case .betweenRequests where !closesAfterAnswer && !inputIsClosed && !isQuiescing:
            startTimer(.nextRequest, idleTimeout)
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
    func refuse(with problem: Problem) {
        inputTimer.cancel()
        input = .broken
        refusal = problem
        if openAnswers == 0 { send(problem) }
    }

    func send(_ problem: Problem) {
        guard let context, !isClosing else { return }
        let requestID = UUID().uuidString.lowercased()
        let answer = OwnAnswer(problem, requestID: requestID)
        admission.log.answered(problem, requestID: requestID)
        context.write(Self.wrapOutboundOut(.head(answer.head)), promise: nil)
        context.write(Self.wrapOutboundOut(.body(.byteBuffer(answer.body))), promise: nil)
        let written = context.eventLoop.makePromise(of: Void.self)
        lastAnswer = written.futureResult
        context.write(Self.wrapOutboundOut(.end(nil)), promise: written)
        closeGently()
    }

    /// Ends the sending side when all is sent and waits a moment for the client's end: a close with bytes unread would be
    /// a reset, which may destroy the answer before the client has read it.
    func closeGently() {
        guard let context, !isClosing else { return }
        isClosing = true
        context.flush()
        startTimer(.closing, options.writeTimeout)
        guard let lastAnswer else { return shutDown() }
        lastAnswer.assumeIsolated().whenComplete { [weak self] _ in self?.shutDown() }
    }

    func shutDown() {
        guard let context else { return }
        if inputIsClosed { return closeNow() }
        context.close(mode: .output, promise: nil)
        startTimer(.closing, .seconds(2))
        context.read()
    }

    func closeNow() {
        isClosing = true
        context?.close(promise: nil)
    }

    // MARK: Times

    /// While there is hardly room for others, who says nothing gives way sooner.
    var headerTimeout: Duration {
        connections.isCrowded ? min(options.headerTimeout, options.crowdedTimeout) : options.headerTimeout
    }

    var idleTimeout: Duration {
        connections.isCrowded ? min(options.idleTimeout, options.crowdedTimeout) : options.idleTimeout
    }

    func startTimer(_ deadline: Deadline, _ delay: Duration) {
        guard let context else { return }
        inputTimer.start(after: delay, on: context.eventLoop) { [weak self] in self?.timedOut(deadline) }
    }

    func timedOut(_ deadline: Deadline) {
        switch (deadline, input) {
        case (.header, .header): refuse(with: .headerTooSlow)
        case (.body, .body): checkBody()
        // Who has sent nothing gets nothing; who was answered and still sends has had the time.
        default: closeNow()
        }
    }

    /// Looks at the body every second until it is there.
    func watchBody() {
        startTimer(.body, min(.seconds(1), options.bodyGrace, options.bodyTimeout))
    }

    func checkBody() {
        guard body.isTooSlow(options), let context else { return watchBody() }
        if pending != nil {
            pending = nil
            return refuse(with: .bodyTooSlow)
        }
        input = .broken
        closesAfterAnswer = true
        context.fireErrorCaught(BodyTooSlow())
    }
}
