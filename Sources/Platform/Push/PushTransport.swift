import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
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
}

/// The HTTP client of one provider: HTTP/2 where the other side speaks it, no redirects, bounded time and bounded
/// answers. Each provider has its own, so that none waits for another's connections.
package final class PushTransport: Sendable {
    private static let maxResponseBytes = 64 << 10
    /// After so many requests in a row without an answer the connection is taken for dead: a firewall may have
    /// forgotten it, and nobody would be told for a quarter of an hour.
    private static let timeoutsOfDeadConnection = 3

    private struct State {
        var client: HTTPClient
        var timeouts = 0
        var isShutDown = false
    }

    private let state: Mutex<State>
    private let configuration: HTTPClient.Configuration
    private let timeout: Duration

    /// - Parameter certificateAuthorities: a PEM file; in the place of the system's.
    /// - Throws: where there are no certificates in it.
    package init(timeout: Duration = .seconds(10), certificateAuthorities: String? = nil) throws {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .seconds(5)
        // Retries are made by the outbox and nowhere else.
        configuration.connectionPool.retryConnectionEstablishment = false
        if let certificateAuthorities {
            let certificates = try NIOSSLCertificate.fromPEMFile(certificateAuthorities)
            guard !certificates.isEmpty else { throw NoCertificates(path: certificateAuthorities) }
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .certificates(certificates)
            configuration.tlsConfiguration = tls
        }
        state = Mutex(
            State(client: HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)))
        self.configuration = configuration
        self.timeout = timeout
    }

    deinit {
        // Where something went wrong before it was used; else it is shut down already.
        state.withLock { $0.client }.shutdown { _ in }
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
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers = headers
        request.body = .bytes(ByteBuffer(bytes: body))
        let client = state.withLock { $0.client }
        do {
            let reply = try await exchange(request, by: client)
            state.withLock { $0.timeouts = 0 }
            return reply
        } catch is PushTimeout {
            noteTimeout(of: client)
            throw PushUnreachable(reason: "no answer in time")
        } catch let error as HTTPClientError {
            throw PushUnreachable(reason: error.shortDescription)
        } catch {
            throw PushUnreachable(reason: "\(type(of: error))")
        }
    }

    private struct PushTimeout: Error {}

    private func exchange(_ request: HTTPClientRequest, by client: HTTPClient) async throws -> PushReply {
        try await withThrowingTaskGroup(of: PushReply.self) { group in
            group.addTask {
                let response = try await client.execute(request, timeout: .seconds(60))
                let body = try await response.body.collect(upTo: Self.maxResponseBytes)
                return PushReply(
                    status: Int(response.status.code), headers: response.headers,
                    body: Data(body.readableBytesView), isHTTP2: response.version == .http2)
            }
            group.addTask {
                try await Task.sleep(for: self.timeout)
                throw PushTimeout()
            }
            defer { group.cancelAll() }
            guard let reply = try await group.next() else { throw CancellationError() }
            return reply
        }
    }

    /// New requests get a new connection; those still under way on the old one fail, and are repeated.
    private func noteTimeout(of client: HTTPClient) {
        let dead = state.withLock { state -> HTTPClient? in
            guard state.client === client, !state.isShutDown else { return nil }
            state.timeouts += 1
            guard state.timeouts >= Self.timeoutsOfDeadConnection else { return nil }
            state.timeouts = 0
            state.client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            return client
        }
        dead?.shutdown { _ in }
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
