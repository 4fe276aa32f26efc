import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A server that sends exactly a test's bytes, well-formed or not.
package final class ScriptedServer: Sendable {
    package struct Request: Sendable {
        package let method: String
        package let target: String
        /// Names in lower case.
        package let headers: [String: String]
        package let body: ByteBuffer
    }

    package enum Step: Sendable {
        /// Sends these bytes and keeps the connection: a whole answer, or a part of one and then nothing.
        case reply(String)
        /// Sends these bytes and closes the connection.
        case replyAndClose(String)
        /// Resets the connection.
        case reset
        /// Never answers.
        case hang
        /// Sends these bytes after a pause.
        case later(Duration, String)

        /// A whole answer.
        package static func answer(_ status: String, _ headers: [String] = [], body: String = "") -> Step {
            let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers
            return .reply(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
        }
    }

    private let answer: @Sendable (Request, _ index: Int) -> Step
    private let log = Mutex<[Request]>([])
    private let channels = Mutex<[any Channel]>([])

    package var port: Int { channels.withLock { $0.first?.localAddress?.port ?? 0 } }
    package var url: URL {
        get throws {
            guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw CocoaError(.fileNoSuchFile) }
            return url
        }
    }
    package var requests: [Request] { log.withLock { $0 } }

    private init(answer: @escaping @Sendable (Request, Int) -> Step) {
        self.answer = answer
    }

    /// Runs `body` with a server. `answer` is called with each request and its number, from 0 on.
    package static func run<T: Sendable>(
        answer: @escaping @Sendable (Request, Int) -> Step,
        body: (ScriptedServer) async throws -> T
    ) async throws -> T {
        let server = ScriptedServer(answer: answer)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    server.channels.withLock { $0.append(channel) }
                    try channel.pipeline.syncOperations.addHandler(ScriptedConnection(server: server))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        server.channels.withLock { $0.insert(channel, at: 0) }
        defer { for channel in server.channels.withLock({ $0 }) { channel.close(promise: nil) } }
        return try await body(server)
    }

    fileprivate func step(for request: Request) -> Step {
        let index = log.withLock { log in
            log.append(request)
            return log.count - 1
        }
        return answer(request, index)
    }

    /// Takes a complete request from the start of the received bytes; `nil` when it is not complete yet.
    fileprivate static func takeRequest(_ received: inout ByteBuffer) -> Request? {
        let bytes = received.readableBytesView
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] =
                parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
        }
        let headBytes = end.upperBound - bytes.startIndex
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        guard received.readableBytes >= headBytes + length else { return nil }
        received.moveReaderIndex(forwardBy: headBytes)
        let body = received.readSlice(length: length) ?? ByteBuffer()
        return Request(method: String(words[0]), target: String(words[1]), headers: headers, body: body)
    }
}

/// One connection to a ``ScriptedServer``.
private final class ScriptedConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let server: ScriptedServer
    private var received = ByteBuffer()

    init(server: ScriptedServer) {
        self.server = server
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var part = unwrapInboundIn(data)
        received.writeBuffer(&part)
        while let request = ScriptedServer.takeRequest(&received) {
            switch server.step(for: request) {
            case .reply(let text): write(text, context)
            case .replyAndClose(let text):
                write(text, context)
                context.close(promise: nil)
            case .reset:
                let socket = context.channel as? any SocketOptionProvider
                _ = socket?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
                context.close(promise: nil)
            case .hang: break
            case .later(let delay, let text):
                let (loop, bound) = (context.eventLoop, NIOLoopBound(context, eventLoop: context.eventLoop))
                loop.scheduleTask(in: TimeAmount(delay)) {
                    let context = bound.value
                    context.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: nil)
                }
            }
        }
    }

    private func write(_ text: String, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
    }
}
