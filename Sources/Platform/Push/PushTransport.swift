import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import OutboundHTTP
import Synchronization

/// A provider's answer, as much of it as is read.
struct PushReply: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let body: Data
    let isHTTP2: Bool

    /// How long the provider wants to be left alone: seconds; dates are not understood, and count as a minute.
    var retryAfter: Duration? {
        guard let text = headers.first(name: "retry-after") else { return nil }
        let seconds = Int(text.trimmingCharacters(in: .whitespaces)) ?? 60
        return .seconds(min(max(seconds, 1), 3_600))
    }
}

/// The provider could not be asked, or did not answer in time.
struct PushUnreachable: Error, Sendable {
    let reason: String
    /// Whether no connection of our own was free: the provider is not at fault.
    var isOurs = false

    /// The message's outcome.
    var outcome: PushOutcome {
        isOurs ? .postponed(after: .seconds(1)) : .unavailable(after: nil, reason: reason)
    }
}

/// The HTTP client of one provider: HTTP/2 where the other side speaks it, no redirects, bounded time and bounded
/// answers. Each provider has its own, so that none waits for another's connections.
package final class PushTransport: Sendable {
    private static let maxResponseBytes = 64 << 10
    /// After so many requests in a row without an answer the connection is taken for dead: a firewall may have
    /// forgotten it, and nobody would be told for a quarter of an hour.
    private static let timeoutsOfDeadConnection = 3

    private struct State {
        var client: OutboundClient
        var timeouts = 0
        var isShutDown = false
    }

    private let state: Mutex<State>
    private let configuration: OutboundClient.Configuration
    private let timeout: Duration

    /// - Parameters:
    ///   - maxConnections: to a provider that speaks no HTTP/2: as many as there may be messages under way.
    ///   - certificateAuthorities: a PEM file; in the place of the system's.
    /// - Throws: where there are no certificates in it.
    package init(
        timeout: Duration = .seconds(10), maxConnections: Int = 8, certificateAuthorities: String? = nil
    ) throws {
        var configuration = OutboundClient.Configuration()
        configuration.allowsHTTP2 = true
        configuration.maxConnections = maxConnections
        if let certificateAuthorities {
            let certificates = try NIOSSLCertificate.fromPEMFile(certificateAuthorities)
            guard !certificates.isEmpty else { throw NoCertificates(path: certificateAuthorities) }
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .certificates(certificates)
            configuration.tls = tls
        }
        state = Mutex(State(client: OutboundClient(configuration)))
        self.configuration = configuration
        self.timeout = timeout
    }

    deinit {
        // Where something went wrong before it was used; else it is shut down already.
        state.withLock { $0.client }.abandon()
    }

    package func shutdown() async throws {
        let client = state.withLock { state in
            state.isShutDown = true
            return state.client
        }
        try await client.shutdown()
    }

    /// The whole exchange, body included, within the timeout.
    func post(
        _ url: String, headers: HTTPHeaders, body: Data
    ) async throws(PushUnreachable) -> PushReply {
        let request = OutboundRequest(
            .POST, url, headers: headers, body: ByteBuffer(bytes: body),
            maxResponseBytes: Self.maxResponseBytes)
        let client = state.withLock { $0.client }
        do {
            let response = try await client.send(request, timeout: timeout)
            state.withLock { $0.timeouts = 0 }
            return PushReply(
                status: response.status, headers: response.headers,
                body: Data(response.body.readableBytesView), isHTTP2: response.head.isHTTP2)
        } catch .noConnectionFree {
            throw PushUnreachable(reason: "no connection of our own is free", isOurs: true)
        } catch {
            if case .timeout = error.failure { noteTimeout(of: client) }
            throw PushUnreachable(reason: error.reason)
        }
    }

    /// New requests get a new connection; those still under way on the old one fail, and are repeated.
    private func noteTimeout(of client: OutboundClient) {
        let dead = state.withLock { state -> OutboundClient? in
            guard state.client === client, !state.isShutDown else { return nil }
            state.timeouts += 1
            guard state.timeouts >= Self.timeoutsOfDeadConnection else { return nil }
            state.timeouts = 0
            state.client = OutboundClient(configuration)
            return client
        }
        dead?.abandon()
    }
}

package struct NoCertificates: Error, Sendable {
    package let path: String
}

extension HTTPHeaders {
    static func json(authorization: String) -> HTTPHeaders {
        ["content-type": "application/json", "authorization": authorization]
    }
}

/// A provider's word for why, where it looks like one: anything else may repeat what it was sent.
func reasonWord(_ text: String?, status: Int) -> String {
    guard let text, (1...64).contains(text.utf8.count),
        text.utf8.allSatisfy({ $0 == UInt8(ascii: "_") || isLetter($0) })
    else { return "HTTP status \(status)" }
    return text
}

private func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
}
