import DaylyAPI
import Foundation

/// Makes the requests of one service.
package struct RequestBuilder: Sendable {
    package let baseURL: URL

    package init(baseURL: URL) {
        self.baseURL = baseURL
    }

    /// - Parameters:
    ///   - path: the values of the path's parameters, in their order.
    ///   - query: names and values; those without a value are left out.
    package func request(
        _ operation: Operation, path: [String] = [], query: [(name: String, value: String?)] = [],
        json: (any Encodable & Sendable)? = nil
    ) throws(DaylyError) -> TransportRequest {
        var request = TransportRequest(operation.method, try url(operation, path, query))
        request.operation = operation
        if let json {
            request.body = try ClientJSON.encode(json)
            request.headers["Content-Type"] = "application/json"
        }
        return request
    }

    private func url(
        _ operation: Operation, _ parameters: [String], _ query: [(name: String, value: String?)]
    ) throws(DaylyError) -> URL {
        let parts = operation.path.components(separatedBy: "{}")
        let last = parts[parts.count - 1]
        precondition(parts.count == parameters.count + 1, "\(operation) has \(parts.count - 1) parameters")
        let path = zip(parts, parameters).map { $0 + Self.escaped($1) }.joined() + last
        var text = baseURL.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        text += path
        let fields = query.compactMap { field in field.value.map { field.name + "=" + Self.escaped($0) } }
        if !fields.isEmpty { text += "?" + fields.joined(separator: "&") }
        guard let url = URL(string: text) else { throw DaylyError.unexpectedAnswer(status: 0) }
        return url
    }

    /// Everything but the unreserved characters of RFC 3986 is escaped, so that a value stays one part of the path.
    private static func escaped(_ value: String) -> String {
        value.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
