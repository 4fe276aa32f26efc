import Foundation
import HTTPKit
import HTTPTypes
import NIOCore

/// An HTTP answer as a client sees it.
package struct HTTPAnswer: Sendable, CustomStringConvertible {
    package let status: Int
    package let headers: HTTPFields
    package let body: ByteBuffer

    package init(status: Int, headers: HTTPFields, body: ByteBuffer) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package var bytes: [UInt8] { [UInt8](body.readableBytesView) }
    package var text: String { String(buffer: body) }
    package var description: String { "\(status) \(text.prefix(300))" }

    package func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }

    package var retryAfter: Int? { headers[.retryAfter].flatMap { Int($0) } }

    package func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try WireJSON.makeDecoder().decode(type, from: Data(body.readableBytesView))
    }

    /// The members of a JSON object; empty for anything else.
    package var members: [String: any Sendable] {
        (try? JSONSerialization.jsonObject(with: Data(body.readableBytesView)) as? [String: any Sendable])
            ?? [:]
    }

    /// A member of the JSON object, as text.
    package func member(_ name: String) -> String? { members[name].map { "\($0)" } }

    /// The problem's code; nil where the answer is not a problem.
    package var code: String? {
        let isProblem = headers[.contentType]?.hasPrefix("application/problem+json") ?? false
        return isProblem ? member("code") : nil
    }

    /// The first pointer of a validation error.
    package var pointer: String? {
        (members["errors"] as? [[String: any Sendable]])?.first?["pointer"] as? String
    }
}
