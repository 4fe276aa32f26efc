import Foundation
import NIOHTTP1

/// A generic gateway that takes `POST {"id", "to", "body"}` with a bearer token and accepts with 2xx. A repeated message
/// has the same `id`, so that the gateway can recognise it.
package struct HTTPSMSGateway: SMSGateway {
    private static let name = "http"

    private let url: URL
    private let token: String
    private let transport: SMSTransport

    package init(url: URL, token: String, transport: SMSTransport) {
        self.url = url
        self.token = token
        self.transport = transport
    }

    package func send(_ message: SMSMessage) async throws {
        let payload = Payload(
            id: message.id.uuidString.lowercased(), to: message.to, body: message.body)
        try await transport.post(
            url: url,
            headers: ["Content-Type": "application/json", "Authorization": "Bearer \(token)"],
            body: [UInt8](JSONEncoder().encode(payload)), repeatableBy: Self.name)
    }

    private struct Payload: Encodable {
        let id: String
        let to: String
        let body: String
    }
}
