import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import OutboundHTTP
import Synchronization

/// A provider's answer.
struct PushReply: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let body: Data
    let isHTTP2: Bool

    /// The pause that the provider asks for with `Retry-After`, 1 s to an hour. Only seconds are read; a date counts as a
    /// minute.
    var retryAfter: Duration? {
        guard let text = headers.first(name: "retry-after") else { return nil }
        let seconds = Int(text.trimmingCharacters(in: .whitespaces)) ?? 60
        return .seconds(min(max(seconds, 1), 3_600))
    }
}

/// The provider could not be reached, or did not answer in time.
struct PushUnreachable: Error, Sendable {
    let reason: String
    /// Whether no connection of our own was free, so that the provider is not at fault.
    var isOurs = false

    /// The message's outcome.
    var outcome: PushOutcome {
        isOurs ? .postponed(after: .seconds(1)) : .unavailable(after: nil, reason: reason)
    }
}

/// The HTTP client of one provider: HTTP/2 if the provider speaks it, no redirects, bounded times and bounded answers. Each
/// provider has a client of its own, so that no message waits for another provider's connections.
package final class PushTransport: Sendable {
    private static let maxResponseBytes = 64 << 10
    /// The number of requests in a row without an answer after which the client opens a new connection. A firewall may
    /// have dropped the old one, which TCP would notice only after a quarter of an hour.
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
    ///   - maxConnections: the number of connections to a provider without HTTP/2: as many as messages at a time.
    ///   - certificateAuthorities: a PEM file of authorities to trust instead of the system's.
    /// - Throws: when the file holds no certificates.
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
        // The client is still open only if an error occurred before its first use.
        state.withLock { $0.client }.abandon()
    }

    package func shutdown() async throws {
        let client = state.withLock { state in
            state.isShutDown = true
            return state.client
        }
        try await client.shutdown()
    }

    /// Makes one exchange; the timeout covers the answer's body too.
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

    /// Counts a timeout, and opens a new connection after several. Requests that still run on the old one fail and are
    /// retried.
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

/// The provider's one-word reason, or the HTTP status when the text is anything else, because it might repeat parts of the
/// request.
func reasonWord(_ text: String?, status: Int) -> String {
    guard let text, (1...64).contains(text.utf8.count),
        text.utf8.allSatisfy({ $0 == UInt8(ascii: "_") || isLetter($0) })
    else { return "HTTP status \(status)" }
    return text
}

private func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
}
