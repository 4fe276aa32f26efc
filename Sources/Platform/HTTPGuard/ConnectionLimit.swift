import Metrics
import NIOCore
import Synchronization

/// How many connections are open at a time. Who comes beyond is told so and hung up on, before anything is read.
package final class ConnectionLimit: Sendable {
    /// Of those beyond the limit, so many at a time are given an answer; the rest only the end.
    private static let maxFarewells = 128

    package let maxConnections: Int
    private let open = Atomic(0)
    private let farewells = Atomic(0)
    private let gauge = Gauge(label: "dayly_http_connections")
    private let refusals = Counter(label: "dayly_http_connections_refused_total")

    package init(maxConnections: Int) {
        self.maxConnections = maxConnections
        refusals.increment(by: 0)
        Gauge(label: "dayly_http_connections_limit").record(maxConnections)
    }

    /// Connections that are open now, those that are being refused not counted.
    package var openConnections: Int { open.load(ordering: .relaxed) }

    /// Whether idle connections should make room.
    var isCrowded: Bool { openConnections >= maxConnections - maxConnections / 5 }

    enum Welcome {
        case welcome
        /// An answer, then the end.
        case refused
        /// Just the end.
        case dropped
    }

    /// Counts a new connection until it is closed.
    func greet(_ channel: any Channel) -> Welcome {
        let (_, now) = open.add(1, ordering: .relaxed)
        if now <= maxConnections {
            gauge.record(now)
            channel.closeFuture.whenComplete { _ in
                self.gauge.record(self.open.subtract(1, ordering: .relaxed).newValue)
            }
            return .welcome
        }
        open.subtract(1, ordering: .relaxed)
        refusals.increment()
        guard farewells.add(1, ordering: .relaxed).newValue <= Self.maxFarewells else {
            farewells.subtract(1, ordering: .relaxed)
            return .dropped
        }
        channel.closeFuture.whenComplete { _ in self.farewells.subtract(1, ordering: .relaxed) }
        return .refused
    }
}

/// All that a connection beyond the limit has: it writes its answer, ends its side, throws away what comes, and closes
/// when the client does, or after a second.
final class FarewellHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: ByteBuffer?
    private var timer: Scheduled<Void>?

    /// - Parameter answer: nil to say nothing.
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
