import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A server that answers exactly what a test says, well-formed or not.
final class ScriptedServer: Sendable {
    struct Request: Sendable {
        let method: String
        let target: String
        /// Names in lower case.
        let headers: [String: String]
        let body: ByteBuffer
    }

    enum Step: Sendable {
        /// These bytes, and the connection stays.
        case reply(String)
        /// These bytes, and the connection ends.
        case replyAndClose(String)
        /// The connection ends by a reset.
        case reset
        /// Nothing, for a minute.
        case hang
        /// These bytes, then nothing, for a minute.
        case replyAndHang(String)

        /// A whole answer.
        static func answer(_ status: String, _ headers: [String] = [], body: String = "") -> Step {
            let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers
            return .reply(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
        }
    }

    let port: Int
    private let log = Mutex<[Request]>([])
    private let answer: @Sendable (Request, _ index: Int) -> Step

    var url: URL {
        get throws {
            guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw CocoaError(.fileNoSuchFile) }
            return url
        }
    }
    var requests: [Request] { log.withLock { $0 } }

    private init(port: Int, answer: @escaping @Sendable (Request, Int) -> Step) {
        self.port = port
        self.answer = answer
    }

    /// Runs `body` against a server whose `answer` gets each request and its number from 0 on.
    static func run<T: Sendable>(
        answer: @escaping @Sendable (Request, Int) -> Step,
        body: (ScriptedServer) async throws -> T
    ) async throws -> T {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let server = ScriptedServer(port: channel.channel.localAddress?.port ?? 0, answer: answer)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.accept(channel) }
            defer { group.cancelAll() }
            return try await body(server)
        }
    }

    private func accept(
        _ channel: NIOAsyncChannel<NIOAsyncChannel<ByteBuffer, ByteBuffer>, Never>
    ) async throws {
        await withDiscardingTaskGroup { group in
            try? await channel.executeThenClose { connections in
                for try await connection in connections {
                    group.addTask { try? await self.serve(connection) }
                }
            }
            group.cancelAll()
        }
    }

    private func serve(_ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>) async throws {
        try await connection.executeThenClose { inbound, outbound in
            var received = ByteBuffer()
            for try await var part in inbound {
                received.writeBuffer(&part)
                while let request = Self.takeRequest(&received) {
                    let index = log.withLock { log in
                        log.append(request)
                        return log.count - 1
                    }
                    switch answer(request, index) {
                    case .reply(let text): try await outbound.write(ByteBuffer(string: text))
                    case .replyAndClose(let text): return try await outbound.write(ByteBuffer(string: text))
                    case .reset:
                        let socket = connection.channel as? any SocketOptionProvider
                        try await socket?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
                        return try await connection.channel.close()
                    case .hang: return try await Task.sleep(for: .seconds(60))
                    case .replyAndHang(let text):
                        try await outbound.write(ByteBuffer(string: text))
                        return try await Task.sleep(for: .seconds(60))
                    }
                }
            }
        }
    }

    /// A whole request from the front of what has come, `nil` when there is none yet.
    private static func takeRequest(_ received: inout ByteBuffer) -> Request? {
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
