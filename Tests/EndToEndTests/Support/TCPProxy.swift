import DaylyTesting
import NIOCore
import NIOPosix
import Synchronization

/// Passes bytes on between clients and one server, and holds them back on demand: requests of one method, or replies
/// to them.
final class TCPProxy: Sendable {
    enum Hold: Sendable, Equatable {
        case nothing
        /// Requests that begin with this method do not reach the server.
        case requests(String)
        /// Requests of this method reach the server, and their replies do not come back.
        case replies(String)
    }

    private struct State {
        var hold = Hold.nothing
        var held = 0
    }

    /// The state of one connection.
    private final class Exchange: Sendable {
        let method = Mutex("")
    }

    let port: Int
    private let state = Mutex(State())

    private init(port: Int) {
        self.port = port
    }

    func hold(_ hold: Hold) {
        state.withLock { $0.hold = hold }
    }

    /// How many pieces have been held back up to now.
    var held: Int { state.withLock { $0.held } }

    func waitUntilHeld(_ count: Int = 1) async throws {
        try await eventually("something held back by the proxy") { held >= count }
    }

    private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// Serves on a free port of 127.0.0.1 in front of `target` until `body` ends.
    static func run<Value: Sendable>(
        to target: (host: String, port: Int), body: @Sendable @escaping (TCPProxy) async throws -> Value
    ) async throws -> Value {
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try Connection(wrappingChannelSynchronously: channel)
                }
            }
        let proxy = TCPProxy(port: listener.channel.localAddress?.port ?? 0)
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await listener.executeThenClose { connections in
                    await withDiscardingTaskGroup { group in
                        do {
                            for try await connection in connections {
                                group.addTask { await proxy.serve(connection, target) }
                            }
                        } catch {}
                        group.cancelAll()
                    }
                }
                return nil
            }
            group.addTask { try await body(proxy) }
            defer { group.cancelAll() }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw CancellationError()
        }
    }

    /// Either side's end, or a broken connection, ends both.
    private func serve(_ client: Connection, _ target: (host: String, port: Int)) async {
        try? await client.executeThenClose { fromClient, toClient in
            let server = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: target.host, port: target.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try Connection(wrappingChannelSynchronously: channel)
                    }
                }
            let exchange = Exchange()
            try await server.executeThenClose { fromServer, toServer in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for try await bytes in fromClient {
                            if let begun = Self.method(bytes) { exchange.method.withLock { $0 = begun } }
                            try await self.passRequest(exchange.method.withLock { $0 })
                            try await toServer.write(bytes)
                        }
                    }
                    group.addTask {
                        for try await bytes in fromServer {
                            try await self.passReply(exchange.method.withLock { $0 })
                            try await toClient.write(bytes)
                        }
                    }
                    try await group.next()
                    group.cancelAll()
                }
            }
        }
    }

    private func passRequest(_ method: String) async throws {
        try await wait { $0 == .requests(method) }
    }

    private func passReply(_ method: String) async throws {
        try await wait { $0 == .replies(method) }
    }

    private func wait(while isHeld: (Hold) -> Bool) async throws {
        var isCounted = false
        while state.withLock({ isHeld($0.hold) }) {
            if !isCounted { state.withLock { $0.held += 1 } }
            isCounted = true
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// The method, where the bytes begin a request.
    private static func method(_ bytes: ByteBuffer) -> String? {
        let start = String(decoding: bytes.readableBytesView.prefix(8), as: UTF8.self)
        return ["GET", "PUT", "POST", "HEAD", "DELETE"].first { start.hasPrefix($0 + " /") }
    }
}

/// A port of 127.0.0.1 that nobody had a moment ago.
func freePort() async throws -> Int {
    let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .bind(host: "127.0.0.1", port: 0).get()
    let port = channel.localAddress?.port ?? 0
    try await channel.close()
    return port
}
