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
