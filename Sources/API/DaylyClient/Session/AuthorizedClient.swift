import DaylyAPI
import Foundation

/// The `AuthorizedTransport` of a session.
package struct AuthorizedClient: AuthorizedTransport {
    private let session: ClientSession
    private let transport: RetryingTransport

    package init(session: ClientSession, transport: RetryingTransport) {
        self.session = session
        self.transport = transport
    }

    package func send(
        _ request: TransportRequest, isIdempotent: Bool
    ) async throws(DaylyError) -> TransportResponse {
        try await authorized(request) { request throws(DaylyError) in
            try await transport.send(request, isIdempotent: isIdempotent)
        }
    }

    package func upload(
        _ request: TransportRequest, from file: URL, progress: @escaping @Sendable (UploadProgress) -> Void
    ) async throws(DaylyError) -> TransportResponse {
        try await authorized(request) { request throws(DaylyError) in
            do throws(TransportError) {
                return try await transport.transport.upload(request, from: file, progress: progress)
            } catch {
                throw DaylyError(error)
            }
        }
    }

    package func stream(_ request: TransportRequest) async throws(DaylyError) -> TransportStream {
        var rejected: String?
        while true {
            let access = try await session.accessToken(insteadOf: rejected)
            let stream: TransportStream
            do { stream = try await transport.transport.stream(request.authorized(by: access.token)) } catch {
                throw DaylyError(error)
            }
            guard !request.isAccepted(by: stream.head) else { return stream }
            let refusal = DaylyError(refusal: await Self.collect(stream))
            guard refusal.code == .unauthorized, rejected == nil else { throw refusal }
            rejected = access.token
        }
    }

    /// Sends a request, and sends it a second time when its token was refused: a 401 says that nothing was done.
    private func authorized(
        _ request: TransportRequest,
        send: (TransportRequest) async throws(DaylyError) -> TransportResponse
    ) async throws(DaylyError) -> TransportResponse {
        var rejected: String?
        while true {
            let access = try await session.accessToken(insteadOf: rejected)
            let response = try await send(request.authorized(by: access.token))
            guard await session.isCurrent(access) else { throw .signedOut }
            guard !request.isAccepted(by: response.head) else { return response }
            let refusal = DaylyError(refusal: response)
            guard refusal.code == .unauthorized, rejected == nil else { throw refusal }
            rejected = access.token
        }
    }

    /// The whole of a refusal, which is short. The body of an answer that is not the service's may have no end.
    private static func collect(_ stream: TransportStream) async -> TransportResponse {
        var response = TransportResponse(stream.head)
        guard stream.head.isProblem else { return response }
        do {
            for try await part in stream.body {
                response.body += part
                if response.body.count > 65_536 { break }
            }
        } catch {
            // A part of a problem says no more than its status.
        }
        return response
    }
}

extension TransportRequest {
    func authorized(by token: String) -> TransportRequest {
        var request = self
        request.headers["Authorization"] = "Bearer \(token)"
        return request
    }
}
