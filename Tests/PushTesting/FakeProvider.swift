import DaylyTesting
import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore
import Synchronization

/// The context of a fake's requests, with the channel: to cut a connection off, and to distinguish HTTP/2 from HTTP/1.
struct FakeContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// An HTTP/2 stream is a child channel of the connection, which is a child channel of the listener.
    var isHTTP2: Bool { channel.parent?.parent != nil }

    var connection: ObjectIdentifier { ObjectIdentifier((isHTTP2 ? channel.parent : nil) ?? channel) }

    func cutOff() {
        let connection = isHTTP2 ? channel.parent : channel
        connection?.close(mode: .all, promise: nil)
    }
}

/// Serves on a free port of loopback until `body` ends. The body gets the port.
func serve<Value: Sendable>(
    _ router: Router<FakeContext>, by server: HTTPServerBuilder,
    _ body: @Sendable @escaping (Int) async throws -> Value
) async throws -> Value {
    let (ports, port) = AsyncStream<Int>.makeStream()
    let application = Application(
        router: router, server: server,
        configuration: .init(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) },
        logger: .silent)
    return try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask {
            try await application.run()
            return nil
        }
        group.addTask {
            var iterator = ports.makeAsyncIterator()
            guard let number = await iterator.next() else { throw CancellationError() }
            return try await body(number)
        }
        defer { group.cancelAll() }
        while let value = try await group.next() {
            if let value { return value }
        }
        throw CancellationError()
    }
}

/// Waits until the test ends.
func hang(_ context: FakeContext) async throws -> Response {
    try? await Task.sleep(for: .seconds(90))
    return Response(status: .gatewayTimeout)
}

extension HTTPFields {
    var byName: [String: String] {
        reduce(into: [:]) { fields, field in
            let name = field.name.canonicalName
            fields[name] = fields[name].map { $0 + ", " + field.value } ?? field.value
        }
    }
}

/// Decodes one of the three parts of a JWT.
func tokenPart(_ token: String, _ index: Int) -> [String: Any] {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return [:] }
    var text = String(parts[index]).replacing("-", with: "+").replacing("_", with: "/")
    while text.count % 4 != 0 { text += "=" }
    guard let data = Data(base64Encoded: text) else { return [:] }
    return (try? JSONSerialization.jsonObject(with: data) as? [String: Any]) ?? [:]
}
