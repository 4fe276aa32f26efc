import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization

/// The HTTP client for other servers: one deadline for the whole exchange, bounded bodies, no redirects and no retries.
/// Callers retry, because only they know the effect of a second request.
///
/// AsyncHTTPClient's own deadline ends with the head of the answer, and its connect timeout includes the wait for a pooled
/// connection. Here the deadline covers the body too, and the wait for a free connection is not part of the exchange's
/// time.
package final class OutboundClient: Sendable {
    package struct Configuration: Sendable {
        /// The number of connections to one host. With HTTP/1 also the number of exchanges with all hosts together.
        package var maxConnections = 8
        /// The time limit for TCP and TLS together.
        package var connectTimeout: Duration = .seconds(5)
        /// The time after which an unused connection is closed.
        package var idleTimeout: Duration = .seconds(60)
        package var tls: TLSConfiguration?
        /// Whether to use HTTP/2 when the server offers it. One such connection carries many exchanges, so their number
        /// is then not limited here.
        package var allowsHTTP2 = false

        package init() {}
    }

    private let client: HTTPClient
    /// One place per connection; nil when exchanges share connections.
    private let places: ConnectionPlaces?

    /// The owner must call `shutdown()` before it drops the last reference.
    package init(_ configuration: Configuration = Configuration()) {
        var http = HTTPClient.Configuration(redirectConfiguration: .disallow)
        http.timeout.connect = TimeAmount(configuration.connectTimeout)
        http.connectionPool.idleTimeout = TimeAmount(configuration.idleTimeout)
        http.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = configuration.maxConnections
        http.connectionPool.retryConnectionEstablishment = false
        if !configuration.allowsHTTP2 { http.httpVersion = .http1Only }
        if let tls = configuration.tls { http.tlsConfiguration = tls }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: http)
        places = configuration.allowsHTTP2 ? nil : ConnectionPlaces(configuration.maxConnections)
    }

    package func shutdown() async throws {
        try await client.shutdown()
    }

    /// Shuts down without waiting, for callers that cannot wait. Running exchanges fail.
    package func abandon() {
        client.shutdown { _ in }
    }

    /// Makes one exchange.
    ///
    /// - Parameters:
    ///   - timeout: the time limit of the exchange, counted from the moment when a connection is free.
    ///   - deadline: the deadline of the wait and the exchange together. The wait ends early enough to leave half of
    ///     `timeout` for the exchange. With nil, the wait may take as long as `timeout`.
    package func send(
        _ request: OutboundRequest, timeout: Duration, deadline: ContinuousClock.Instant? = nil
    ) async throws(OutboundError) -> OutboundResponse {
        let began = ContinuousClock.now
        guard let places else {
            return try await exchange(request, until: min(began + timeout, deadline ?? began + timeout))
        }
        let latestStart = deadline.map { $0 - timeout / 2 } ?? began + timeout
        guard await places.take(until: latestStart) else {
            if Task.isCancelled { throw .cancelled }
            throw .noConnectionFree
        }
        defer { places.giveBack() }
        let end = ContinuousClock.now + timeout
        return try await exchange(request, until: min(end, deadline ?? end))
    }

    private func exchange(
        _ request: OutboundRequest, until deadline: ContinuousClock.Instant
    ) async throws(OutboundError) -> OutboundResponse {
        let progress = Progress(isSent: request.body == nil || !request.tellsIfSent)
        do {
            return try await withDeadline(deadline) { [client] in
                // Our deadline cancels the task. AsyncHTTPClient's own timeout only has to be later.
                let response = try await client.execute(
                    progress.watching(request), timeout: .hours(1))
                let head = OutboundHead(
                    status: Int(response.status.code), headers: response.headers,
                    isHTTP2: response.version == .http2)
                progress.began(head)
                return OutboundResponse(
                    head: head, body: try await response.body.collect(upTo: request.maxResponseBytes))
            }
        } catch is DeadlineExceeded {
            throw progress.error(.timeout)
        } catch {
            if Task.isCancelled { throw .cancelled }
            throw progress.error(error)
        }
    }
}

/// The progress of an exchange.
private final class Progress: Sendable {
    private struct State {
        var isSent: Bool
        var head: OutboundHead?
    }

    private let state: Mutex<State>

    init(isSent: Bool) {
        state = Mutex(State(isSent: isSent))
    }

    func began(_ head: OutboundHead) {
        state.withLock { $0.head = head }
    }

    func error(_ failure: OutboundFailure) -> OutboundError {
        state.withLock { state in
            if let head = state.head { return .cutOff(head, failure) }
            return state.isSent ? .unanswered(failure) : .notSent(failure)
        }
    }

    func error(_ error: any Error) -> OutboundError {
        if let error = error as? HTTPClientError, error == .getConnectionFromPoolTimeout {
            return .noConnectionFree
        }
        return self.error(OutboundFailure(error))
    }

    /// The request for AsyncHTTPClient, with a body that records when it is read. The client reads it only when a
    /// connection takes the request.
    func watching(_ request: OutboundRequest) -> HTTPClientRequest {
        var watched = HTTPClientRequest(url: request.url)
        watched.method = request.method
        watched.headers = request.headers
        guard let body = request.body else { return watched }
        guard request.tellsIfSent else {
            watched.body = .bytes(body)
            return watched
        }
        let bytes = WatchedBytes(bytes: body.readableBytesView) { [self] in
            state.withLock { $0.isSent = true }
        }
        watched.body = .bytes(bytes, length: .known(Int64(body.readableBytes)))
        return watched
    }
}

/// Bytes that call a closure when they are read.
private struct WatchedBytes: RandomAccessCollection, Sendable {
    let bytes: ByteBufferView
    let onRead: @Sendable () -> Void

    var startIndex: Int { bytes.startIndex }
    var endIndex: Int { bytes.endIndex }

    subscript(position: Int) -> UInt8 {
        onRead()
        return bytes[position]
    }

    func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result? {
        onRead()
        return try bytes.withContiguousStorageIfAvailable(body)
    }
}
