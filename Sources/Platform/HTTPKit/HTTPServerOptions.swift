import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// What a connection may cost: sizes and times of HTTP/1.1 messages, whoever handles them.
package struct HTTPServerOptions: Sendable {
    package var maxHeaderFields = 100
    /// Request target and all fields together.
    package var maxHeaderBytes = 16 << 10
    /// From a request's first byte (or the connection's start) to the end of its header.
    package var headerTimeout: Duration = .seconds(15)
    /// Between requests.
    package var idleTimeout: Duration = .seconds(60)
    /// From the end of the header to the end of the body.
    package var bodyTimeout: Duration = .seconds(60)
    /// What a client must send on average after the first `bodyGrace` of waiting for it. Time that the server takes before
    /// it reads does not count.
    package var minBodyBytesPerSecond = 16 << 10
    package var bodyGrace: Duration = .seconds(5)
    /// How much of a refused body is read and thrown away so that its sender gets to the answer.
    package var maxDrainBytes = 10 << 20 + 64 << 10
    package var drainTimeout: Duration = .seconds(30)
    /// A client that takes nothing of its answer for so long is dropped.
    package var writeTimeout: Duration = .seconds(60)

    package init() {}

    /// The server to give to `Application(router:server:)`.
    package func serverBuilder() -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            var configuration = HTTP1Channel.Configuration()
            configuration.httpDecoder = .init(
                maxHeaderFieldSize: maxHeaderBytes, maxHeaderListSize: maxHeaderBytes,
                maxHeaderFieldCount: maxHeaderFields)
            return GuardedHTTPChannel(
                base: HTTP1Channel(responder: responder, configuration: configuration), options: self)
        }
    }
}

/// Hummingbird's HTTP/1 channel with a `ConnectionGuard` behind the parser and an observer of first bytes before it.
private struct GuardedHTTPChannel: ServerChildChannel {
    let base: HTTP1Channel
    let options: HTTPServerOptions

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            let connectionGuard = ConnectionGuard(options: options)
            try pipeline.addHandler(connectionGuard, position: .after(parser))
            try pipeline.addHandler(FirstByteObserver(connectionGuard), position: .first)
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}

/// Tells the guard that bytes come in: it starts the clock for a header.
private final class FirstByteObserver: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connectionGuard: ConnectionGuard

    init(_ connectionGuard: ConnectionGuard) {
        self.connectionGuard = connectionGuard
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connectionGuard.bytesArrived()
        context.fireChannelRead(data)
    }
}
