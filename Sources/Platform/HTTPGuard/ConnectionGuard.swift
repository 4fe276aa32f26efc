import Foundation
import HTTPKit
import NIOCore
import NIOHTTP1

/// Carries out what `ConnectionState` decides about one connection. The handler stands between the parser and the
/// application, and reports everything that passes in either direction.
final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private var state: ConnectionState
    private let options: HTTPServerOptions
    private let admission: Admission
    private let connections: ConnectionLimit
    private let decisions: AdmissionQueue
    private var context: ChannelHandlerContext?
    /// The handler before the parser and behind the encoder. Both handlers live as long as their connection.
    private var wire: WireObserver?
    private var collected = SmallBody()
    /// Completes when the kernel has the last answer's bytes.
    private var lastAnswer: EventLoopFuture<Void>?
    private let inputTimer = Deferred()
    private let writeTimer = Deferred()

    init(
        options: HTTPServerOptions, admission: Admission, connections: ConnectionLimit,
        decisions: AdmissionQueue
    ) {
        state = ConnectionState(options: options)
        self.options = options
        self.admission = admission
        self.connections = connections
        self.decisions = decisions
    }

    func attach(_ wire: WireObserver) { self.wire = wire }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { perform(state.opened()) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        release()
        wire = nil
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        perform(state.opened())
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        release()
        context.fireChannelInactive()
    }

    private func release() {
        state.closed()
        inputTimer.end()
        writeTimer.end()
        collected = SmallBody()
    }

    // MARK: From the client

    /// Takes note of bytes before the parser sees them.
    ///
    /// - Returns: whether the parser should see them.
    func bytesArrived(_ count: Int) -> Bool {
        perform(state.bytesArrived(count))
        return state.parsesInput
    }

    func bytesParsed() { perform(state.bytesParsed()) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch Self.unwrapInboundIn(data) {
        case .head(let head):
            let request = admission.incoming(head)
            let isFull = state.openRequests.isEmpty && admission.isFull(for: request)
            perform(state.headArrived(request, isFull: isFull), on: data)
        case .body(let bytes): perform(state.bodyArrived(bytes.readableBytes, now: .now), on: data)
        case .end: perform(state.endArrived(), on: data)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        let actions = state.readCompleted(now: .now)
        context.fireChannelReadComplete()
        perform(actions)
    }

    func read(context: ChannelHandlerContext) { perform(state.readRequested(now: .now)) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        perform(state.parserFailed(error))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { perform(state.inputClosed()) }
        if event is ChannelShouldQuiesceEvent { return perform(state.quiesce()) }
        context.fireUserInboundEventTriggered(event)
    }

    // MARK: From the application

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard event is ContinueEvent else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        perform(state.continueRequested())
        promise?.succeed()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard state.takesAnswers else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch Self.unwrapOutboundIn(data) {
        case .head(var head) where head.status.code >= 200:
            decisions.answerBegins()
            if state.answerBegins(saysClose: head.headers[canonicalForm: "connection"].contains("close")) {
                head.headers.replaceOrAdd(name: "connection", value: "close")
            }
            context.write(Self.wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            let written = promise ?? context.eventLoop.makePromise(of: Void.self)
            lastAnswer = written.futureResult
            // The encoder would end a body of unknown length with an empty chunk, and an answer to HEAD has no body.
            let isToHead = state.openRequests.isAnswerToHead
            let end = isToHead ? Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))) : data
            context.write(end, promise: written)
            perform(state.answerEnded())
        case .head, .body:
            context.write(data, promise: promise)
        }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard case .output = mode else { return context.close(mode: mode, promise: promise) }
        promise?.succeed()
        perform(state.outputClosed())
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        perform(state.writabilityChanged(context.channel.isWritable))
        context.fireChannelWritabilityChanged()
    }
}

// MARK: Actions

extension ConnectionGuard {
    /// - Parameter part: the part of the request that has just arrived.
    private func perform(_ actions: [ConnectionState.Action], on part: NIOAny? = nil) {
        guard let context else { return }
        for action in actions { perform(action, on: part, context) }
    }

    private func perform(
        _ action: ConnectionState.Action, on part: NIOAny?, _ context: ChannelHandlerContext
    ) {
        switch action {
        case .forward: if let part { context.fireChannelRead(part) }
        case .forwardCollected(let head): forwardCollected(head, context)
        case .failBody(.tooSlow): context.fireErrorCaught(BodyTooSlow())
        case .failBody(.malformed(let error)): context.fireErrorCaught(error)
        case .askForPlace(let lane): perform(ask(lane), on: part)
        case .askLater(let lane): decisions.push(.later(lane))
        case .countRefusal(let lane): admission.refused(lane)
        case .collect: if let part { collect(part) }
        case .dropCollected: collected = SmallBody()
        case .writeContinue: writeContinue(context)
        case .writeOverloaded(let head, let closes): writeOverloaded(head, closes: closes, context)
        case .writeProblem(let problem): writeProblem(problem, context)
        case .flush: context.flush()
        case .read: context.read()
        // The socket may be closed already.
        case .useReadBuffers(let isLarge):
            try? SocketBuffers.setReadSize(isLarge: isLarge, of: context.channel)
        case .awaitLastAnswer: awaitLastAnswer()
        case .closeOutput: context.close(mode: .output, promise: nil)
        case .close: context.close(promise: nil)
        case .arm(let deadline): arm(deadline, context)
        case .disarm: inputTimer.cancel()
        case .armWriteDeadline:
            writeTimer.start(after: options.writeTimeout, on: context.eventLoop) { [weak self] in
                guard let self else { return }
                perform(state.writeDeadlinePassed())
            }
        case .disarmWriteDeadline: writeTimer.cancel()
        }
    }

    private func forwardCollected(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let bytes = collected.bytes
        collected = SmallBody()
        context.fireChannelRead(Self.wrapInboundOut(.head(head)))
        if bytes.readableBytes > 0 { context.fireChannelRead(Self.wrapInboundOut(.body(bytes))) }
    }

    private func ask(_ lane: Admission.Lane) -> [ConnectionState.Action] {
        guard let place = admission.admit(lane) else { return state.placeRefused() }
        decisions.push(.admitted(place))
        return state.placeGranted()
    }

    private func collect(_ part: NIOAny) {
        guard case .body(let bytes) = Self.unwrapInboundIn(part),
            !collected.append(bytes, within: admission.pending)
        else { return }
        perform(state.collectingFailed())
    }

    private func writeContinue(_ context: ChannelHandlerContext) {
        let head = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(Self.wrapOutboundOut(.head(head)), promise: nil)
    }

    private func writeOverloaded(
        _ request: HTTPRequestHead, closes: Bool, _ context: ChannelHandlerContext
    ) {
        guard let wire else { return }
        let bytes = OverloadAnswer.bytes(
            requestID: request.headers.first(name: "x-request-id").flatMap(RequestID.accepted),
            closes: closes, hasBody: request.method != .HEAD)
        let written = closes ? context.eventLoop.makePromise(of: Void.self) : nil
        lastAnswer = written?.futureResult
        wire.send(bytes, promise: written)
    }

    private func writeProblem(_ problem: Problem, _ context: ChannelHandlerContext) {
        let requestID = RequestID.new()
        let answer = OwnAnswer(problem, requestID: requestID)
        admission.log.answered(problem, requestID: requestID)
        context.write(Self.wrapOutboundOut(.head(answer.head)), promise: nil)
        context.write(Self.wrapOutboundOut(.body(.byteBuffer(answer.body))), promise: nil)
        let written = context.eventLoop.makePromise(of: Void.self)
        lastAnswer = written.futureResult
        context.write(Self.wrapOutboundOut(.end(nil)), promise: written)
    }

    private func awaitLastAnswer() {
        guard let lastAnswer else { return perform(state.answersWritten()) }
        lastAnswer.assumeIsolated().whenComplete { [weak self] _ in
            guard let self else { return }
            perform(state.answersWritten())
        }
    }

    private func arm(_ deadline: ConnectionState.Deadline, _ context: ChannelHandlerContext) {
        let delay = options.delay(of: deadline, isCrowded: connections.isCrowded)
        // Refusals cost a fraction when many are written in one go: the kernel wakes each client's core once.
        let step = deadline == .rest ? options.refusalStep : nil
        inputTimer.start(after: delay, step: step, on: context.eventLoop) { [weak self] in
            guard let self else { return }
            perform(state.deadlinePassed(now: .now))
        }
    }
}
