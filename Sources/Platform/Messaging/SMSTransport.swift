import Foundation
import NIOCore
import NIOHTTP1
import OutboundHTTP

/// The HTTP client that gateways share: no redirects, bounded answers, one deadline over each exchange.
package struct SMSTransport: Sendable {
    private static let maxResponseBytes = 16 * 1024

    private let client: OutboundClient
    private let timeout: Duration

    /// `shutdown()` must be called before the last copy goes away.
    ///
    /// - Parameter maxConnections: as many as there may be messages under way, so that none waits for another.
    package init(
        timeout: Duration = .seconds(10), maxConnections: Int = SMSQueue.Configuration().maxConcurrent
    ) {
        var configuration = OutboundClient.Configuration()
        configuration.maxConnections = maxConnections
        // A request on a connection that the gateway is just closing has an unknown outcome. Young connections make
        // that rare.
        configuration.idleTimeout = .seconds(10)
        client = OutboundClient(configuration)
        self.timeout = timeout
    }

    package func shutdown() async throws {
        try await client.shutdown()
    }

    /// Posts and throws unless the answer is 2xx. Nothing of the answer but its status goes into the error, because the
    /// answer may repeat the number.
    ///
    /// - Parameter repeatableBy: see `SMSGatewayError.unknown`.
    func post(
        url: URL, headers: HTTPHeaders, body: [UInt8], repeatableBy: String?
    ) async throws(SMSGatewayError) {
        let request = OutboundRequest(
            .POST, url.absoluteString, headers: headers, body: ByteBuffer(bytes: body),
            maxResponseBytes: Self.maxResponseBytes, tellsIfSent: true)
        let status: Int
        do {
            // The whole answer is read so that the connection can be used again.
            status = try await client.send(request, timeout: timeout).status
        } catch .cutOff(let head, _) {
            // The status is the answer.
            status = head.status
        } catch .noConnectionFree {
            throw .noConnectionFree
        } catch .notSent(let failure) {
            throw .unavailable(failure.reason)
        } catch {
            throw .unknown(error.reason, repeatableBy: repeatableBy)
        }
        switch status {
        case 200..<300: return
        // A proxy says that it lost its gateway's answer.
        case 502, 504: throw .unknown("HTTP status \(status)", repeatableBy: repeatableBy)
        case 408, 425, 429, 500...: throw .unavailable("HTTP status \(status)")
        default: throw .rejected("HTTP status \(status)")
        }
    }
}
