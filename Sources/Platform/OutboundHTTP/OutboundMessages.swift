import NIOCore
import NIOHTTP1

/// A request to another server.
package struct OutboundRequest: Sendable {
    package var method: HTTPMethod
    package var url: String
    package var headers: HTTPHeaders
    package var body: ByteBuffer?
    /// The limit of the answer's body. A longer body is an error.
    package var maxResponseBytes: Int
    /// Whether errors distinguish a request that was not sent from one that was; for requests that must not be repeated
    /// blindly. It costs a copy of the body.
    package var tellsIfSent: Bool

    package init(
        _ method: HTTPMethod, _ url: String, headers: HTTPHeaders = [:], body: ByteBuffer? = nil,
        maxResponseBytes: Int = 16 << 10, tellsIfSent: Bool = false
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.maxResponseBytes = maxResponseBytes
        self.tellsIfSent = tellsIfSent
    }
}

/// The head of an answer. The client does not follow redirects: a 307 is an answer like any other.
package struct OutboundHead: Sendable {
    package let status: Int
    package let headers: HTTPHeaders
    package let isHTTP2: Bool
}

/// A complete answer.
package struct OutboundResponse: Sendable {
    package let head: OutboundHead
    package let body: ByteBuffer

    package var status: Int { head.status }
    package var headers: HTTPHeaders { head.headers }
}
