import DaylyAPI
import Foundation

/// Makes calls of operations: the part that all repositories share.
package struct ServiceCalls: Sendable {
    package let requests: RequestBuilder
    package let session: ClientSession
    /// For calls that need no token.
    package let open: RetryingTransport
    package let authorized: any AuthorizedTransport

    package init(
        requests: RequestBuilder, session: ClientSession, open: RetryingTransport,
        authorized: any AuthorizedTransport
    ) {
        self.requests = requests
        self.session = session
        self.open = open
        self.authorized = authorized
    }

    /// Calls an operation as the signed-in user.
    package func send(
        _ operation: Operation, path: [String] = [], query: [(name: String, value: String?)] = [],
        json: (any Encodable & Sendable)? = nil, headers: TransportHeaders = [:]
    ) async throws(DaylyError) -> TransportResponse {
        var request = try requests.request(operation, path: path, query: query, json: json)
        for field in headers.all { request.headers[field.name] = field.value }
        return try await authorized.send(request, isIdempotent: operation.isIdempotent)
    }

    /// Calls an operation and decodes its answer.
    package func get<Answer: Decodable & Sendable>(
        _ operation: Operation, path: [String] = [], query: [(name: String, value: String?)] = [],
        json: (any Encodable & Sendable)? = nil, headers: TransportHeaders = [:]
    ) async throws(DaylyError) -> Answer {
        try ClientJSON.decode(
            from: try await send(operation, path: path, query: query, json: json, headers: headers))
    }

    /// Calls an operation whose answer is empty.
    package func perform(
        _ operation: Operation, path: [String] = [], json: (any Encodable & Sendable)? = nil
    ) async throws(DaylyError) {
        _ = try await send(operation, path: path, json: json)
    }

    /// Calls an operation that answers 304 when its answer is the one that the app has.
    package func getIfChanged<Answer: Decodable & Sendable>(
        _ operation: Operation, path: [String] = [], query: [(name: String, value: String?)] = [],
        headers: TransportHeaders = [:], unless version: EntityVersion?
    ) async throws(DaylyError) -> Fetched<Answer> {
        var headers = headers
        headers["If-None-Match"] = version?.tag
        let response = try await send(operation, path: path, query: query, headers: headers)
        guard response.status != 304 else { return .unchanged }
        let tag = response.headers["ETag"]
        return .changed(try ClientJSON.decode(from: response), tag.map(EntityVersion.init(tag:)))
    }

    /// Calls an operation without a token.
    func sendOpenly(
        _ operation: Operation, json: (any Encodable & Sendable)? = nil
    ) async throws(DaylyError) -> TransportResponse {
        let request = try requests.request(operation, json: json)
        let response = try await open.send(request, isIdempotent: operation.isIdempotent)
        try request.check(response)
        return response
    }
}

extension TransportHeaders {
    /// The key by which the service knows a repetition.
    package static func key(_ key: UUID) -> TransportHeaders {
        ["Idempotency-Key": key.uuidString.lowercased()]
    }
}
