import DaylyTesting
import HTTPKit
import HTTPTypes
import Hummingbird
import HummingbirdTesting

extension TestClientProtocol {
    /// A call with JSON or without a body, by the holder of an access token or by a stranger.
    package func call(
        _ method: HTTPRequest.Method, _ path: String, _ json: String? = nil, token: String? = nil,
        headers more: HTTPFields = [:]
    ) async throws -> HTTPAnswer {
        var headers = more
        if json != nil { headers[.contentType] = "application/json" }
        return try await call(
            method, path, bytes: json.map { ByteBuffer(string: $0) }, token: token, headers: headers)
    }

    package func call(
        _ method: HTTPRequest.Method, _ path: String, bytes: ByteBuffer?, token: String? = nil,
        headers more: HTTPFields
    ) async throws -> HTTPAnswer {
        var headers = more
        if let token { headers[.authorization] = "Bearer \(token)" }
        return try await execute(uri: path, method: method, headers: headers, body: bytes) {
            HTTPAnswer(status: $0.status.code, headers: $0.headers, body: $0.body)
        }
    }
}

/// Runs `body` with a client of these routes under `/v1`, without a socket.
package func withClient<Value: Sendable>(
    of routes: [Route], authenticator: some CallerAuthentication,
    mapError: @escaping @Sendable (any Error) -> Problem? = { _ in nil },
    _ body: @escaping @Sendable (any TestClientProtocol) async throws -> Value
) async throws -> Value {
    let router = AppRouter(mapError: mapError)
    router.group("v1").add(routes, authenticator: authenticator)
    return try await Application(responder: router.buildResponder(), logger: .silent).test(.router, body)
}
