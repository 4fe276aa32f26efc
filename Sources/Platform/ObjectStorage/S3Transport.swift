import AsyncHTTPClient
import Crypto
import Foundation
import Logging
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import Synchronization

/// One call of the S3 API, before it is signed.
struct S3Request: Sendable {
    var method: HTTPMethod
    var key: ObjectKey?
    var parameters: [(name: String, value: String)] = []
    /// Sent and signed.
    var headers: [(name: String, value: String)] = []
    var body: ByteBuffer?
    var maxResponseBytes = 64 << 10
    /// What one attempt may take, and until when all of them must be over.
    var attemptTimeout: Duration
    var deadline: ContinuousClock.Instant
}

/// Signs, sends and repeats requests: the one layer that retries.
///
/// Every attempt is signed anew. A machine whose clock is wrong is helped once per request by the server's
/// `Date`, and the difference is kept for the requests that follow.
final class S3Transport: Sendable {
    private let configuration: S3Configuration
    private let endpoint: S3Endpoint
    private let signer: SigV4Signer
    private let keys: SigningKeyCache
    let client: HTTPClient
    private let backoff: Backoff
    private let calls: CallLimit
    private let clock: @Sendable () -> Date
    private let logger: Logger
    /// How far the server's clock is ahead of ours, in seconds; zero unless it has refused a request for it.
    private let skew = Mutex<TimeInterval>(0)

    /// A difference that servers tolerate (AWS: fifteen minutes) is none of our business below this.
    private static let toleratedSkew: TimeInterval = 240

    init(
        configuration: S3Configuration, endpoint: S3Endpoint, signer: SigV4Signer, keys: SigningKeyCache,
        backoff: Backoff, clock: @escaping @Sendable () -> Date, logger: Logger
    ) throws(ObjectStoreError) {
        self.configuration = configuration
        self.endpoint = endpoint
        self.signer = signer
        self.keys = keys
        self.backoff = backoff
        calls = CallLimit(maxCalls: configuration.maxCalls)
        self.clock = clock
        self.logger = logger
        var http = HTTPClient.Configuration(redirectConfiguration: .disallow)
        http.timeout.connect = .seconds(3)
        http.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 32
        // Retries are made here and nowhere else.
        http.connectionPool.retryConnectionEstablishment = false
        http.httpVersion = .http1Only
        if let file = configuration.caFile {
            http.tlsConfiguration = try TrustedAuthorities.clientConfiguration(file: file)
        }
        client = HTTPClient(configuration: http)
    }

    /// What one attempt may take.
    var timeout: Duration { configuration.requestTimeout }

    func shutdown() async { try? await client.shutdown() }

    /// The answer to a request that succeeded.
    func send(_ request: S3Request) async throws(ObjectStoreError) -> S3Response {
        let response = try await exchange(request)
        if let failure = S3Failure(response) { throw failure.error(configuration) }
        return response
    }

    /// The final answer, success or not; failures that may pass have been retried.
    func exchange(_ request: S3Request) async throws(ObjectStoreError) -> S3Response {
        guard calls.begin() else { throw .unavailable("too many calls of the object store are under way") }
        defer { calls.end() }
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
        let wake = ContinuousClock.now + backoff.delay(after: attempt, random: .random(in: 0...1))
        guard attempt < backoff.maxAttempts, wake < request.deadline else { throw .unavailable(problem) }
        logger.debug(
            "object store: trying again",
            metadata: [
                "method": "\(request.method)", "attempt": "\(attempt)", "problem": "\(problem)",
            ])
        do { try await Task.sleep(until: wake, clock: .continuous) } catch { throw .unavailable("cancelled") }
    }

    private struct NoAnswer: Error { let reason: String }

    /// One attempt. What can be retried is returned, what cannot is thrown.
    private func outcome(
        of request: S3Request, signedAt: Date
    ) async throws(ObjectStoreError) -> Result<S3Response, NoAnswer> {
        let signed = sign(request, at: signedAt)
        let deadline = min(ContinuousClock.now + request.attemptTimeout, request.deadline)
        do {
            return .success(
                try await withDeadline(deadline) { [client] in
                    // Our deadline cancels; AsyncHTTPClient's own only has to be later.
                    let response = try await client.execute(signed, timeout: .minutes(5))
                    let body = try await Self.body(of: response, upTo: request.maxResponseBytes)
                    return S3Response(
                        status: Int(response.status.code), headers: response.headers, body: body)
                })
        } catch is DeadlineExceeded {
            return .failure(NoAnswer(reason: "the object store did not answer in time"))
        } catch is NIOTooManyBytesError {
            throw .corrupted("the object store's answer is larger than \(request.maxResponseBytes) bytes")
        } catch {
            if Task.isCancelled { throw .unavailable("cancelled") }
            if let reason = TrustedAuthorities.refusal(error, host: endpoint.host) { throw .rejected(reason) }
            return .failure(NoAnswer(reason: "the object store cannot be reached: \(error)"))
        }
    }

    /// The body; of a failure as much as is of use, since the status already says that it is one.
    private static func body(of response: HTTPClientResponse, upTo maxBytes: Int) async throws -> ByteBuffer {
        if (200..<300).contains(response.status.code) {
            return try await response.body.collect(upTo: maxBytes)
        }
        return (try? await response.body.collect(upTo: 64 << 10)) ?? ByteBuffer()
    }

    private func sign(_ request: S3Request, at date: Date) -> HTTPClientRequest {
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
        var signed = HTTPClientRequest(url: endpoint.url(uri, query: uri.query))
        signed.method = request.method
        signed.headers = HTTPHeaders(headers.map { ($0.name, $0.value) } + [("Authorization", authorization)])
        if request.body != nil { signed.body = .bytes(body) }
        return signed
    }

    /// Takes the server's clock when a refusal may be due to ours; whether signing again is worth it.
    private func adoptServerClock(_ response: S3Response, signedAt: Date) -> Bool {
        guard response.status == 403 || response.status == 400, let theirs = response.date,
            abs(theirs.timeIntervalSince(signedAt)) > Self.toleratedSkew
        else { return false }
        let difference = theirs.timeIntervalSince(clock())
        skew.withLock { $0 = difference }
        logger.warning(
            "this machine's clock differs from the object store's; synchronise it",
            metadata: ["seconds": "\(Int(difference))"])
        return true
    }
}
