import DaylyClientTesting
import Foundation

import DaylyClient

/// A session that is always signed in, over a stub. It neither refreshes nor repeats.
package struct TokenTransport: AuthorizedTransport {
    package let transport: StubTransport
    package let isSignedIn = Locked(true)

    package init(_ transport: StubTransport) {
        self.transport = transport
    }

    package func send(
        _ request: TransportRequest, isIdempotent: Bool
    ) async throws(DaylyError) -> TransportResponse {
        let request = try authorized(request)
        let response: TransportResponse
        do { response = try await transport.send(request) } catch { throw DaylyError(error) }
        try request.check(response)
        return response
    }

    package func stream(_ request: TransportRequest) async throws(DaylyError) -> TransportStream {
        let request = try authorized(request)
        let stream: TransportStream
        do { stream = try await transport.stream(request) } catch { throw DaylyError(error) }
        guard !request.isAccepted(by: stream.head) else { return stream }
        var response = TransportResponse(stream.head)
        do {
            for try await part in stream.body { response.body += part }
        } catch {
            throw .networkUnavailable
        }
        throw DaylyError(refusal: response)
    }

    package func upload(
        _ request: TransportRequest, from file: URL, progress: @escaping @Sendable (UploadProgress) -> Void
    ) async throws(DaylyError) -> TransportResponse {
        let request = try authorized(request)
        let response: TransportResponse
        do {
            response = try await transport.upload(request, from: file, progress: progress)
        } catch {
            throw DaylyError(error)
        }
        try request.check(response)
        return response
    }

    private func authorized(_ request: TransportRequest) throws(DaylyError) -> TransportRequest {
        guard isSignedIn.withLock({ $0 }) else { throw .signedOut }
        var request = request
        request.headers["Authorization"] = "Bearer session"
        return request
    }
}
