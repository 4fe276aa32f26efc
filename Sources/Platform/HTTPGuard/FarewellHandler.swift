import NIOCore

/// The only handler of a connection beyond the limit. It writes an answer, closes the sending side, throws away what
/// arrives, and closes the connection when the client does, or after a second.
final class FarewellHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: ByteBuffer?
    private var timer: Scheduled<Void>?

    /// - Parameter answer: nil to close without an answer.
    init(answer: ByteBuffer?) {
        self.answer = answer
    }

    func channelActive(context: ChannelHandlerContext) {
        guard let answer else { return context.close(promise: nil) }
        context.writeAndFlush(Self.wrapOutboundOut(answer), promise: nil)
        context.close(mode: .output, promise: nil)
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }
}
