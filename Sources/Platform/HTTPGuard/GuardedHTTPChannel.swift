import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// Hummingbird's HTTP/1 channel with a `ConnectionGuard` behind the parser and an observer of first bytes before it.
struct GuardedHTTPChannel: ServerChildChannel {
    /// A connection, and what its guard decides about its requests.
    struct Value: ServerChildChannelValue {
        let base: HTTP1Channel.Value
        let decisions: AdmissionQueue
        let isWelcome: Bool

        var channel: any Channel { base.channel }
    }

    let responder: HTTPChannelHandler.Responder
    let configuration: HTTP1Channel.Configuration
    let options: HTTPServerOptions
    let admission: Admission
    let connections: ConnectionLimit

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        switch connections.greet(channel) {
        case .welcome: return welcome(channel, logger)
        case .refused: return turnAway(channel, saying: OverloadAnswer.bytes(requestID: nil, closes: true))
        case .dropped: return turnAway(channel, saying: nil)
        }
    }

    private func welcome(_ channel: any Channel, _ logger: Logger) -> EventLoopFuture<Value> {
        let decisions = AdmissionQueue()
        let base = HTTP1Channel(responder: responder, configuration: configuration)
        return base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            try SocketBuffers.limit(channel)
            let pipeline = channel.pipeline.syncOperations
            let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            let connectionGuard = ConnectionGuard(
                options: options, admission: admission, connections: connections, decisions: decisions)
            try pipeline.addHandler(connectionGuard, position: .after(parser))
            let wire = FirstByteObserver(connectionGuard)
            connectionGuard.wire = wire
            try pipeline.addHandler(wire, position: .first)
            return Value(base: value, decisions: decisions, isWelcome: true)
        }
    }

    private func turnAway(_ channel: any Channel, saying answer: ByteBuffer?) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(FarewellHandler(answer: answer))
            // Nothing is ever read from it or written to it: the server only waits for its end.
            let value = try HTTP1Channel.Value(wrappingChannelSynchronously: channel)
            return Value(base: value, decisions: AdmissionQueue(), isWelcome: false)
        }
    }

    func handle(value: Value, logger: Logger) async {
        guard value.isWelcome else {
            try? await value.base.executeThenClose { inbound, _ in
                for try await _ in inbound {}
            }
            return
        }
        let (responder, admission, decisions) = (responder, admission, value.decisions)
        let channel = HTTP1Channel(
            responder: { request, writer, channel in
                try await admission.handle(request, writer, channel, decisions: decisions, respond: responder)
            }, configuration: configuration)
        await channel.handle(value: value.base, logger: logger)
    }
}

/// Counts the bytes for the guard before and after the parser sees them, and sends what the guard has as bytes already.
final class FirstByteObserver: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let connectionGuard: ConnectionGuard
    private var context: ChannelHandlerContext?

    init(_ connectionGuard: ConnectionGuard) {
        self.connectionGuard = connectionGuard
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func send(_ bytes: ByteBuffer, promise: EventLoopPromise<Void>?) {
        guard let context else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        context.writeAndFlush(Self.wrapOutboundOut(bytes), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard connectionGuard.bytesArrived(Self.unwrapInboundIn(data).readableBytes) else { return }
        context.fireChannelRead(data)
        connectionGuard.bytesParsed()
    }
}
