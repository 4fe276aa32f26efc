import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// The HTTP client that gateways share: no redirects, bounded time and bounded answers.
package struct SMSTransport: Sendable {
    private static let maxResponseBytes = 16 * 1024

    private let client: HTTPClient
    private let timeout: Duration

    /// `shutdown()` must be called before the last copy goes away.
    package init(timeout: Duration = .seconds(10)) {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .seconds(5)
        configuration.httpVersion = .http1Only
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.timeout = timeout
    }

    package func shutdown() async throws {
        try await client.shutdown()
    }

    /// Posts and throws unless the answer is 2xx. Nothing of the answer but its status goes into the error: it may
    /// repeat the number.
    func post(url: URL, headers: HTTPHeaders, body: [UInt8]) async throws(SMSGatewayError) {
        var request = HTTPClientRequest(url: url.absoluteString)
        request.method = .POST
        request.headers = headers
        request.body = .bytes(body)
        let status: HTTPResponseStatus
        do {
            let response = try await client.execute(request, timeout: .init(timeout))
            status = response.status
            // The whole answer is read so that the connection can be used again.
            _ = try? await response.body.collect(upTo: Self.maxResponseBytes)
        } catch let error as HTTPClientError {
            throw .unavailable(error.shortDescription)
        } catch {
            throw .unavailable("\(type(of: error))")
        }
        switch status.code {
        case 200..<300: return
        case 408, 425, 429, 500...: throw .unavailable("HTTP status \(status.code)")
        default: throw .rejected("HTTP status \(status.code)")
        }
    }
}
