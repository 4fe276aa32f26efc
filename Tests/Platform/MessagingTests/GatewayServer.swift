import DaylyTesting
import Foundation
import Hummingbird
import NIOCore
import Synchronization

/// A request of a gateway to the server.
struct ReceivedRequest: Sendable {
    let path: String
    let headers: HTTPFields
    let body: String
}

/// A real HTTP server on loopback that plays the gateway's other side.
final class GatewayServer: Sendable {
    private let received = Mutex<[ReceivedRequest]>([])
    let url: URL

    private init(url: URL) {
        self.url = url
    }

    /// The URL for the generic gateway.
    var endpoint: URL { url.appending(path: "send") }
    var requests: [ReceivedRequest] { received.withLock { $0 } }

    static func run(
        answer: @escaping @Sendable (ReceivedRequest) async throws -> Response,
        _ body: @escaping @Sendable (GatewayServer) async throws -> Void
    ) async throws {
        let servers = Mutex<GatewayServer?>(nil)
        let router = Router()
        router.post("**") { request, _ in
            let bytes = try await request.body.collect(upTo: 1 << 20)
            let received = ReceivedRequest(
                path: request.uri.path, headers: request.headers, body: String(buffer: bytes))
            servers.withLock { $0 }?.received.withLock { $0.append(received) }
            return try await answer(received)
        }
        try await serving(router.buildResponder()) { port in
            guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
            let server = GatewayServer(url: url)
            servers.withLock { $0 = server }
            try await body(server)
        }
    }
}
