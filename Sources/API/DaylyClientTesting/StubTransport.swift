import DaylyAPI
import DaylyClient
import Foundation

/// Answers requests as a test says, without a network, and keeps them.
public final class StubTransport: HTTPTransport {
    public typealias Handler = @Sendable (TransportRequest) async throws -> StubAnswer

    private let handler: Handler
    private let log = Locked<[TransportRequest]>([])

    /// - Parameter handler: called with each request; the body of an upload is the file's bytes. Whatever it throws means
    ///   that no answer came.
    public init(_ handler: @escaping Handler) {
        self.handler = handler
    }

    /// All requests so far, in the order in which they came.
    public var requests: [TransportRequest] { log.withLock { $0 } }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let stream = try await stream(request)
        var response = TransportResponse(stream.head)
        do {
            for try await part in stream.body { response.body += part }
        } catch {
            throw error as? TransportError ?? TransportError("\(error)")
        }
        return response
    }

    public func stream(_ request: TransportRequest) async throws(TransportError) -> TransportStream {
        log.withLock { $0.append(request) }
        do {
            let answer = try await handler(request)
            return TransportStream(head: answer.head, body: answer.body)
        } catch {
            throw error as? TransportError
                ?? TransportError("\(error)", isCancelled: error is CancellationError)
        }
    }

    public func upload(
        _ request: TransportRequest, from file: URL, progress: @escaping @Sendable (UploadProgress) -> Void
    ) async throws(TransportError) -> TransportResponse {
        try await send(request, bodyOf: file, steps: 2, progress: progress)
    }
}

/// An answer of a ``StubTransport``.
public struct StubAnswer: Sendable {
    public var head: TransportHead
    public var body: AsyncThrowingStream<Data, any Error>

    public init(_ head: TransportHead, body: AsyncThrowingStream<Data, any Error>) {
        self.head = head
        self.body = body
    }

    public init(_ head: TransportHead, body: Data = Data()) {
        let (stream, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
        if !body.isEmpty { continuation.yield(body) }
        continuation.finish()
        self.init(head, body: stream)
    }

    /// An answer in JSON, as the service writes it.
    public static func json(
        _ value: some Encodable & Sendable, status: Int = 200, headers: TransportHeaders = [:]
    ) -> StubAnswer {
        var head = TransportHead(status: status, headers: headers)
        head.headers["Content-Type"] = "application/json"
        head.headers["X-Request-ID"] = "stub"
        return StubAnswer(head, body: (try? ClientJSON.encode(value)) ?? Data())
    }

    /// A problem with a code of any version.
    public static func problem(
        _ status: Int, _ code: String, retryAfter: Int? = nil, attemptsRemaining: Int? = nil,
        nextSendAt: Date? = nil
    ) -> StubAnswer {
        let problem = ProblemDocument(
            type: "/problems/\(code)", title: code, status: status, detail: "A test's \(code).", code: code,
            requestID: "stub", attemptsRemaining: attemptsRemaining, nextSendAt: nextSendAt)
        var answer = json(problem, status: status)
        answer.head.headers["Content-Type"] = "application/problem+json"
        answer.head.headers["Retry-After"] = retryAfter.map(String.init)
        return answer
    }

    public static func problem(_ status: Int, _ code: ProblemCode, retryAfter: Int? = nil) -> StubAnswer {
        problem(status, code.rawValue, retryAfter: retryAfter)
    }

    /// 204.
    public static var done: StubAnswer {
        StubAnswer(TransportHead(status: 204, headers: ["X-Request-ID": "stub"]))
    }

    /// The answer of a network in the service's place, such as a hotel's sign-in page. It is never the service's, whatever its
    /// status.
    public static func page(_ status: Int = 200) -> StubAnswer {
        let head = TransportHead(status: status, headers: ["Content-Type": "text/html; charset=utf-8"])
        return StubAnswer(head, body: Data("<!doctype html><title>Welcome</title><p>Please sign in.".utf8))
    }
}

extension HTTPTransport {
    /// Sends a file as the body of a request, and reports its progress in so many equal steps.
    func send(
        _ request: TransportRequest, bodyOf file: URL, steps: Int, progress: (UploadProgress) -> Void
    ) async throws(TransportError) -> TransportResponse {
        guard let body = try? Data(contentsOf: file) else {
            throw TransportError("\(file.path) cannot be read")
        }
        var request = request
        request.body = body
        for step in 1...steps {
            let sent = Int64(body.count * step / steps)
            progress(UploadProgress(sentBytes: sent, totalBytes: Int64(body.count)))
        }
        return try await send(request)
    }
}
