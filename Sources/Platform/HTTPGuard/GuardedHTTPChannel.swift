import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// Hummingbird's HTTP/1 channel with a `ConnectionGuard` behind the parser and a `WireObserver` before it.
struct GuardedHTTPChannel: ServerChildChannel {
    /// A connection with its guard's decisions about its requests.
    struct Value: ServerChildChannelValue {
        let base: HTTP1Channel.Value
        let decisions: AdmissionQueue
        let isAccepted: Bool

        var channel: any Channel { base.channel }
    }

    let responder: HTTPChannelHandler.Responder
    let configuration: HTTP1Channel.Configuration
    let options: HTTPServerOptions
    let admission: Admission
    let connections: ConnectionLimit

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let value =
            switch connections.admit(channel) {
            case .accepted: accept(channel, logger)
            case .refused: refuse(channel, answer: OverloadAnswer.bytes(requestID: nil, closes: true))
            case .dropped: refuse(channel, answer: nil)
            }
        // A server that ends hands on no connection that came in this moment. NIO ends the process when the value of an open
        // connection goes (NIOAsyncWriter).
        value.whenSuccess { value in
            channel.closeFuture.whenComplete { _ in withExtendedLifetime(value) {} }
        }
        return value
    }

    private func accept(_ channel: any Channel, _ logger: Logger) -> EventLoopFuture<Value> {
        let decisions = AdmissionQueue()
        let base = HTTP1Channel(responder: responder, configuration: configuration)
        return base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            try SocketBuffers.limit(channel)
            let pipeline = channel.pipeline.syncOperations
            let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            let connectionGuard = ConnectionGuard(
                options: options, admission: admission, connections: connections, decisions: decisions)
            try pipeline.addHandler(connectionGuard, position: .after(parser))
            let wire = WireObserver(connectionGuard)
            connectionGuard.attach(wire)
            try pipeline.addHandler(wire, position: .first)
            return Value(base: value, decisions: decisions, isAccepted: true)
        }
    }

    private func refuse(_ channel: any Channel, answer: ByteBuffer?) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(FarewellHandler(answer: answer))
            // The server neither reads from this value nor writes to it, and only waits for its end.
            let value = try HTTP1Channel.Value(wrappingChannelSynchronously: channel)
            return Value(base: value, decisions: AdmissionQueue(), isAccepted: false)
        }
    }

    func handle(value: Value, logger: Logger) async {
        guard value.isAccepted else {
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
