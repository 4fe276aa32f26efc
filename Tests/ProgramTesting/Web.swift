import AsyncHTTPClient
import Foundation
import NIOCore

/// A complete HTTP answer.
package struct Reply: Sendable, CustomStringConvertible {
    package let status: Int
    package let headers: [String: String]
    package let body: ByteBuffer

    package func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(type, from: Data(bytes))
    }

    /// The `code` of a problem; nil when the answer is not a problem.
    package var problem: String? {
        guard headers["content-type"]?.hasPrefix("application/problem+json") == true else { return nil }
        struct Coded: Decodable { let code: String }
        return try? json(Coded.self).code
    }

    package var bytes: [UInt8] { [UInt8](body.readableBytesView) }

    package var description: String { "\(status) \(String(decoding: bytes.prefix(300), as: UTF8.self))" }
}

/// A plain HTTP client, like an app's.
package enum Web {
    package static func get(_ url: String, headers: [String: String] = [:]) async throws -> Reply {
        try await send("GET", url, headers: headers)
    }

    package static func send(
        _ method: String, _ url: String, headers: [String: String] = [:], body: [UInt8]? = nil,
        timeout: TimeAmount = .seconds(60)
    ) async throws -> Reply {
        var request = HTTPClientRequest(url: url)
        request.method = .init(rawValue: method)
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        if let body { request.body = .bytes(ByteBuffer(bytes: body)) }
        let response = try await HTTPClient.shared.execute(request, timeout: timeout)
        return Reply(
            status: Int(response.status.code),
            headers: Dictionary(
                response.headers.map { ($0.name.lowercased(), $0.value) },
                uniquingKeysWith: { $0 + ", " + $1 }),
            body: try await response.body.collect(upTo: 32 << 20))
    }
}
