import NIOCore

/// Counts bytes for the guard before and after the parser sees them, and sends the guard's ready-made answers.
final class WireObserver: ChannelInboundHandler {
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
