import Foundation

/// Carries requests to the service and to the object store. Apps use ``URLSessionTransport``, tests a stub.
///
/// A transport follows no redirect, keeps no cookie and caches no answer. It repeats nothing: ``RetryPolicy`` decides that.
public protocol HTTPTransport: Sendable {
    /// Sends a request and returns its whole answer, whatever its status.
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse

    /// Sends a request and returns as soon as the head of its answer has come. The body follows while it arrives.
    func stream(_ request: TransportRequest) async throws(TransportError) -> TransportStream

    /// Sends a request whose body is a file.
    ///
    /// - Parameters:
    ///   - request: without a body.
    ///   - file: the body.
    ///   - progress: called with each part that left this device, on any thread.
    func upload(
        _ request: TransportRequest, from file: URL, progress: @escaping @Sendable (UploadProgress) -> Void
    ) async throws(TransportError) -> TransportResponse
}

/// A request as a transport sends it.
public struct TransportRequest: Sendable, Equatable {
    /// The methods that the service knows.
    public enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    public var method: Method
    public var url: URL
    public var headers: TransportHeaders
    public var body: Data?
    /// How long nothing may arrive before the transport gives up.
    public var idleTimeout: Duration
    /// The call of the service that this is; nil for a request that goes elsewhere, such as to a signed URL.
    package var operation: Operation?

    public init(
        _ method: Method, _ url: URL, headers: TransportHeaders = [:], body: Data? = nil,
        idleTimeout: Duration = .seconds(30)
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.idleTimeout = idleTimeout
    }
}

/// The status and the headers of an answer.
public struct TransportHead: Sendable, Equatable {
    public var status: Int
    public var headers: TransportHeaders

    public init(status: Int, headers: TransportHeaders = [:]) {
        self.status = status
        self.headers = headers
    }
}

/// A whole answer.
public struct TransportResponse: Sendable, Equatable {
    public var head: TransportHead
    public var body: Data

    public init(_ head: TransportHead, body: Data = Data()) {
        self.head = head
        self.body = body
    }

    public var status: Int { head.status }
    public var headers: TransportHeaders { head.headers }
}

/// An answer whose body is still arriving.
public struct TransportStream: Sendable {
    public var head: TransportHead
    /// The body as it arrives, in parts of any size. It throws a ``TransportError`` when the connection breaks. The
    /// transport closes the connection when nobody reads any more.
    public var body: AsyncThrowingStream<Data, any Error>

    public init(head: TransportHead, body: AsyncThrowingStream<Data, any Error>) {
        self.head = head
        self.body = body
    }
}

/// How much of an upload has left this device.
public struct UploadProgress: Sendable, Equatable {
    public var sentBytes: Int64
    public var totalBytes: Int64

    public init(sentBytes: Int64, totalBytes: Int64) {
        self.sentBytes = sentBytes
        self.totalBytes = totalBytes
    }

    /// From 0 to 1.
    public var fraction: Double {
        totalBytes > 0 ? min(1, Double(sentBytes) / Double(totalBytes)) : 0
    }
}

/// A request that got no answer. It may have arrived all the same.
public struct TransportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Whether the caller's task was cancelled.
    public var isCancelled: Bool
    /// For logs.
    public var description: String

    public init(_ description: String, isCancelled: Bool = false) {
        self.description = description
        self.isCancelled = isCancelled
    }

    public static let cancelled = TransportError("cancelled", isCancelled: true)
}
