import AsyncHTTPClient
import DaylyTesting
import HTTPTypes
import NIOCore

/// A plain HTTP client, like an app's.
package enum Web {
    package static func get(_ url: String, headers: [String: String] = [:]) async throws -> HTTPAnswer {
        try await send("GET", url, headers: headers)
    }

    package static func send(
        _ method: String, _ url: String, headers: [String: String] = [:], body: [UInt8]? = nil,
        timeout: TimeAmount = .seconds(60)
    ) async throws -> HTTPAnswer {
        var request = HTTPClientRequest(url: url)
        request.method = .init(rawValue: method)
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        if let body { request.body = .bytes(ByteBuffer(bytes: body)) }
        let response = try await client.execute(request, timeout: timeout)
        return HTTPAnswer(
            status: Int(response.status.code),
            headers: HTTPFields(
                response.headers.compactMap { field in
                    HTTPField.Name(field.name).map { HTTPField(name: $0, value: field.value) }
                }),
            body: try await response.body.collect(upTo: 32 << 20))
    }

    /// Gets an answer without an end, such as a stream of events, piece by piece.
    ///
    /// - Parameters:
    ///   - limit: how long it is read.
    ///   - receive: is called with each piece.
    /// - Returns: the status, once the stream has ended.
    /// - Throws: when the connection breaks, or the limit is over.
    package static func follow(
        _ url: String, headers: [String: String], for limit: TimeAmount,
        _ receive: (ByteBuffer) -> Void
    ) async throws -> Int {
        var request = HTTPClientRequest(url: url)
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        let response = try await client.execute(request, timeout: limit)
        if response.status == .ok {
            for try await piece in response.body { receive(piece) }
        }
        return Int(response.status.code)
    }

    /// As many connections to one host as there are requests at a time: many people's phones have one each.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 2_000
        configuration.httpVersion = .http1Only
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
}
