import Foundation
import HTTPKit
import NIOCore
import NIOHTTP1

/// An answer that the connection gives without the application. It is the last one on its connection.
struct OwnAnswer {
    private(set) var head: HTTPResponseHead
    let body: ByteBuffer

    init(_ problem: Problem, requestID: String) {
        body = problem.body(requestID: requestID)
        head = HTTPResponseHead(
            version: .http1_1, status: .init(statusCode: problem.status.code),
            headers: [
                "content-type": "application/problem+json", "content-length": "\(body.readableBytes)",
                "cache-control": "no-store", "x-content-type-options": "nosniff", "x-request-id": requestID,
                "connection": "close",
            ])
        if let retryAfter = problem.headers[.retryAfter] {
            head.headers.add(name: "retry-after", value: retryAfter)
        }
    }
}
