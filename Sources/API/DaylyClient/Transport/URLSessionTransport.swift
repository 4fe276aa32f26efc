import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The transport of apps. It uses one `URLSession` with a delegate, which is the same on every platform: on Linux there is
/// no `bytes(for:)`.
///
/// The session is ephemeral and has neither cache nor cookies, so that no photo outlives its expiry in a place that the
/// library does not know.
public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let delegate: TransferDelegate

    /// - Parameter configuration: for example one with a proxy. Its cache and its cookies are switched off.
    public init(configuration: URLSessionConfiguration = .ephemeral) {
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        delegate = TransferDelegate()
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit {
        // A session keeps its delegate and its threads until then.
        session.finishTasksAndInvalidate()
    }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await collect(try await stream(request))
    }

    public func stream(_ request: TransportRequest) async throws(TransportError) -> TransportStream {
        try await delegate.run(
            session.dataTask(with: request.urlRequest), idleTimeout: request.idleTimeout, progress: nil)
    }

    public func upload(
        _ request: TransportRequest, from file: URL, progress: @escaping @Sendable (UploadProgress) -> Void
    ) async throws(TransportError) -> TransportResponse {
        let task = session.uploadTask(with: request.urlRequest, fromFile: file)
        return try await collect(
            try await delegate.run(task, idleTimeout: request.idleTimeout, progress: progress))
    }

    private func collect(_ stream: TransportStream) async throws(TransportError) -> TransportResponse {
        var body = Data()
        do {
            for try await part in stream.body { body.append(part) }
        } catch {
            throw error as? TransportError ?? TransportError("\(error)")
        }
        // A cancelled task ends a stream without an error.
        if Task.isCancelled { throw .cancelled }
        return TransportResponse(stream.head, body: body)
    }
}

extension TransportRequest {
    var urlRequest: URLRequest {
        var request = URLRequest(
            url: url, cachePolicy: .reloadIgnoringLocalCacheData,
            timeoutInterval: idleTimeout / .seconds(1))
        request.httpMethod = method.rawValue
        request.httpBody = body
        request.httpShouldHandleCookies = false
        for field in headers.all { request.setValue(field.value, forHTTPHeaderField: field.name) }
        return request
    }
}
