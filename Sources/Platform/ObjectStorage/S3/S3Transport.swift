import Crypto
import Foundation
import Logging
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import OutboundHTTP
import Synchronization

/// One call of the S3 API, before it is signed.
struct S3Request: Sendable {
    var method: HTTPMethod
    var key: ObjectKey?
    var parameters: [(name: String, value: String)] = []
    /// Headers to sign and send.
    var headers: [(name: String, value: String)] = []
    var body: ByteBuffer?
    var maxResponseBytes = 64 << 10
    /// The time limit of one attempt.
    var attemptTimeout: Duration
    /// The time limit of all attempts.
    var deadline: ContinuousClock.Instant
}

/// Signs, sends and retries requests. No other layer of the store retries.
///
/// The transport signs every attempt anew. If this machine's clock is wrong, it corrects the signature once per request
/// with the server's `Date`, and keeps the difference for later requests.
final class S3Transport: Sendable {
    private let configuration: S3Configuration
    private let endpoint: S3Endpoint
    private let signer: SigV4Signer
    private let keys: SigningKeyCache
    let client: OutboundClient
    private let calls: CallLimit
    private let clock: @Sendable () -> Date
    private let logger: Logger
    /// The seconds by which the server's clock is ahead of ours; zero until the server refuses a request because of it.
    private let skew = Mutex<TimeInterval>(0)

    /// Below this difference, in seconds, a refusal is not blamed on the clock: servers tolerate more (AWS: 15 minutes).
    private static let toleratedSkew: TimeInterval = 240

    init(
        configuration: S3Configuration, endpoint: S3Endpoint, signer: SigV4Signer, keys: SigningKeyCache,
        clock: @escaping @Sendable () -> Date, logger: Logger
    ) throws(ObjectStoreError) {
        self.configuration = configuration
        self.endpoint = endpoint
        self.signer = signer
        self.keys = keys
        calls = CallLimit(maxCalls: configuration.maxCalls)
        self.clock = clock
        self.logger = logger
        var http = OutboundClient.Configuration()
        http.connectTimeout = .seconds(3)
        http.maxConnections = configuration.maxConnections
        if let file = configuration.caFile {
            http.tls = try TrustedAuthorities.clientConfiguration(file: file)
        }
        client = OutboundClient(http)
    }

    /// The time limit of one attempt.
    var timeout: Duration { configuration.requestTimeout }

    func shutdown() async { try? await client.shutdown() }

    /// Sends a request and returns the answer if it is a success.
    func send(_ request: S3Request) async throws(ObjectStoreError) -> S3Response {
        let response = try await exchange(request)
        if let failure = S3Failure(response) { throw failure.error(configuration) }
        return response
    }

    /// Sends a request, retries temporary failures, and returns the final answer, success or not.
    func exchange(_ request: S3Request) async throws(ObjectStoreError) -> S3Response {
        guard let place = calls.enter() else {
            throw .unavailable("too many calls of the object store are under way")
        }
        defer { place.release() }
        var attempt = 0
        var isResigned = false
        while true {
            attempt += 1
            let signedAt = clock().addingTimeInterval(skew.withLock { $0 })
            let problem: String
            switch try await outcome(of: request, signedAt: signedAt) {
            case .success(let response):
                guard let failure = S3Failure(response) else { return response }
                if !isResigned, adoptServerClock(response, signedAt: signedAt) {
                    isResigned = true
                    continue
                }
                guard failure.isRetryable else { return response }
                problem = failure.summary
            case .failure(let failure):
                problem = failure.reason
            }
            try await pause(after: attempt, of: request, because: problem)
        }
    }

    private func pause(
        after attempt: Int, of request: S3Request, because problem: String
    ) async throws(ObjectStoreError) {
        let wake = ContinuousClock.now + configuration.backoff.pause(afterFailures: attempt)
        guard attempt < configuration.maxAttempts, wake < request.deadline else {
            throw .unavailable(problem)
        }
        logger.debug(
            "retrying a request to the object store",
            metadata: [
                "method": "\(request.method)", "attempt": "\(attempt)", "problem": "\(problem)",
            ])
        do { try await Task.sleep(until: wake, clock: .continuous) } catch { throw .unavailable("cancelled") }
    }

    private struct NoAnswer: Error { let reason: String }

    /// Makes one attempt. Returns a failure that may be retried, and throws any other.
    private func outcome(
        of request: S3Request, signedAt: Date
    ) async throws(ObjectStoreError) -> Result<S3Response, NoAnswer> {
        do {
            let response = try await client.send(
                sign(request, at: signedAt), timeout: request.attemptTimeout, deadline: request.deadline)
            return .success(
                S3Response(status: response.status, headers: response.headers, body: response.body))
        } catch .noConnectionFree {
            // The request was not sent, and a retry would only wait again.
            calls.countRefusal()
            throw .unavailable("no connection of our own to the object store is free")
        } catch .cancelled {
            throw .unavailable("cancelled")
        } catch .cutOff(let head, _) where !(200..<300).contains(head.status) {
            // The status alone shows a failure; only its reason is lost with the body.
            return .success(S3Response(status: head.status, headers: head.headers, body: ByteBuffer()))
        } catch {
            return .failure(try noAnswer(error, to: request))
        }
    }

    private func noAnswer(
        _ error: OutboundError, to request: S3Request
    ) throws(ObjectStoreError) -> NoAnswer {
        switch error.failure {
        case .tooLarge:
            throw .corrupted("the object store's answer is larger than \(request.maxResponseBytes) bytes")
        case .broken(let cause):
            if let refusal = TrustedAuthorities.refusal(cause, host: endpoint.host) { throw refusal }
            return NoAnswer(reason: "the object store cannot be reached: \(ConnectionFault.text(cause))")
        case .timeout, nil: return NoAnswer(reason: "the object store did not answer in time")
        }
    }

    private func sign(_ request: S3Request, at date: Date) -> OutboundRequest {
        let body = request.body ?? ByteBuffer()
        let hash = Hex.encode(SHA256.hash(data: body.readableBytesView))
        let uri = endpoint.uri(key: request.key, parameters: request.parameters)
        var headers = request.headers
        headers += [
            ("Host", endpoint.host), ("X-Amz-Date", UTCTime(date).basic), ("X-Amz-Content-Sha256", hash),
        ]
        let authorization = signer.authorization(
            for: .init(method: request.method.rawValue, uri: uri, headers: headers, payloadHash: hash),
            at: date, key: keys.key(for: date))
        return OutboundRequest(
            request.method, endpoint.url(uri, query: uri.query),
            headers: HTTPHeaders(headers.map { ($0.name, $0.value) } + [("Authorization", authorization)]),
            body: request.body, maxResponseBytes: request.maxResponseBytes)
    }

    /// Adopts the server's clock if the refusal may be due to ours.
    ///
    /// - Returns: whether the request should be signed and sent again.
    private func adoptServerClock(_ response: S3Response, signedAt: Date) -> Bool {
        guard response.status == 403 || response.status == 400, let theirs = response.date,
            abs(theirs.timeIntervalSince(signedAt)) > Self.toleratedSkew
        else { return false }
        let difference = theirs.timeIntervalSince(clock())
        skew.withLock { $0 = difference }
        logger.warning(
            "this machine's clock differs from the object store's: synchronize it by NTP",
            metadata: ["seconds": "\(Int(difference))"])
        return true
    }
}
