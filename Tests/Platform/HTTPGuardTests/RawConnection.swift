import Foundation
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOPosix

/// A client that sends exactly the given bytes and reads the raw answers.
struct RawConnection {
    struct Reply: Equatable {
        var status: Int
        var headers: [String: String]
        var body: String
    }

    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private let received: Received
    let channel: any Channel

    /// The bytes that were read. The client reads in the background, so that a server waits for it only if a test wants that.
    private actor Received {
        var text = ""
        var isClosed = false

        func append(_ more: String) { text += more }
        func close() { isClosed = true }
        func drop(_ count: Int) { text.removeFirst(count) }
    }

    static func open<Result: Sendable>(
        port: Int, _ body: @Sendable (RawConnection) async throws -> Result
    ) async throws -> Result {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: "localhost", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            let received = Received()
            let reader = Task {
                do {
                    for try await bytes in inbound {
                        // Each byte becomes one character.
                        await received.append(
                            String(decoding: bytes.readableBytesView.map { UInt16($0) }, as: UTF16.self))
                    }
                } catch {}
                await received.close()
            }
            defer { reader.cancel() }
            return try await body(
                RawConnection(outbound: outbound, received: received, channel: channel.channel))
        }
    }

    func send(_ text: String) async throws {
        try await outbound.write(ByteBuffer(string: text))
    }

    /// Sends zeros.
    ///
    /// - Returns: false if the server stopped reading before the end.
    func send(zeros count: Int, chunked: Bool = false) async -> Bool {
        var left = count
        do {
            while left > 0 {
                let size = min(left, 32 << 10)
                let frame = chunked ? String(size, radix: 16) + "\r\n" : ""
                var buffer = ByteBuffer(string: frame)
                buffer.writeRepeatingByte(0x30, count: size)
                if chunked { buffer.writeString("\r\n") }
                try await outbound.write(buffer)
                left -= size
            }
            return true
        } catch {
            return false
        }
    }

    func endSending() {
        outbound.finish()
    }

    /// The next message, with a body as long as its Content-Length says (none for 1xx).
    func reply(within limit: Duration = .seconds(10)) async throws -> Reply? {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            if let (reply, length) = Self.parse(await received.text) {
                await received.drop(length)
                return reply
            }
            if await received.isClosed { return nil }
            try await Task.sleep(for: .milliseconds(5))
        }
        return nil
    }

    /// The status of an answer to HEAD, which has no body whatever its Content-Length says.
    func head(within limit: Duration = .seconds(10)) async throws -> Int? {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            let text = await received.text
            if let end = text.firstRange(of: "\r\n\r\n") {
                await received.drop(text.distance(from: text.startIndex, to: end.upperBound))
                return Int(text.split(separator: " ").dropFirst().first ?? "")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        return nil
    }

    /// The bytes that the server sends until it closes the connection; nil if it does not close it.
    func restUntilClosed(within limit: Duration = .seconds(10)) async throws -> String? {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            if await received.isClosed { return await received.text }
            try await Task.sleep(for: .milliseconds(5))
        }
        return nil
    }

    private static func parse(_ text: String) -> (Reply, Int)? {
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
        let status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = line[line.index(after: colon)...]
                .trimmingCharacters(in: .whitespaces)
        }
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        let body = text[end.upperBound...]
        guard body.count >= length else { return nil }
        let total = text.distance(from: text.startIndex, to: end.upperBound) + length
        return (Reply(status: status, headers: headers, body: String(body.prefix(length))), total)
    }
}

extension ApplicationProtocol {
    /// Serves on a port of its own and opens a connection to it.
    func withConnection<Result: Sendable>(
        _ body: @escaping @Sendable (RawConnection) async throws -> Result
    ) async throws -> Result {
        try await withPort { port in try await RawConnection.open(port: port, body) }
    }

    func withPort<Result: Sendable>(
        _ body: @escaping @Sendable (Int) async throws -> Result
    ) async throws -> Result {
        try await test(.live) { client in
            guard let port = client.port else { throw CancellationError() }
            return try await body(port)
        }
    }
}
