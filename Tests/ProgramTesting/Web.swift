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
        let response = try await HTTPClient.shared.execute(request, timeout: timeout)
        return HTTPAnswer(
            status: Int(response.status.code),
            headers: HTTPFields(
                response.headers.compactMap { field in
                    HTTPField.Name(field.name).map { HTTPField(name: $0, value: field.value) }
                }),
            body: try await response.body.collect(upTo: 32 << 20))
    }
}
