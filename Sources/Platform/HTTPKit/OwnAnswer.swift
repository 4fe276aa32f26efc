import Foundation
import NIOCore
import NIOHTTP1

/// An answer that a connection gives by itself, without the application.
struct OwnAnswer {
    var head: HTTPResponseHead
    var body: ByteBuffer

    init(_ problem: Problem, requestID: String, closes: Bool) {
        body = problem.body(requestID: requestID)
        head = HTTPResponseHead(
            version: .http1_1, status: .init(statusCode: problem.status.code),
            headers: [
                "content-type": "application/problem+json", "content-length": "\(body.readableBytes)",
                "cache-control": "no-store", "x-content-type-options": "nosniff", "x-request-id": requestID,
            ])
        if let retryAfter = problem.headers[.retryAfter] {
            head.headers.add(name: "retry-after", value: retryAfter)
        }
        if closes { head.headers.add(name: "connection", value: "close") }
    }

    /// 503, made from a template: there are many of them exactly when there is no time.
    init(overloadedWithRequestID requestID: String) {
        body = ByteBuffer()
        body.writeImmutableBuffer(Self.template.before)
        body.writeString(requestID)
        body.writeImmutableBuffer(Self.template.after)
        head = HTTPResponseHead(
            version: .http1_1, status: .serviceUnavailable,
            headers: [
                "content-type": "application/problem+json", "content-length": "\(body.readableBytes)",
                // Not all at the same time again.
                "retry-after": Self.pauses.randomElement() ?? "2",
                "cache-control": "no-store", "x-content-type-options": "nosniff", "x-request-id": requestID,
            ])
    }

    /// The whole of it as bytes, for a connection without an encoder.
    static func overloadedBytes() -> ByteBuffer {
        let answer = OwnAnswer(overloadedWithRequestID: UUID().uuidString.lowercased())
        var bytes = ByteBuffer(string: "HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n")
        for (name, value) in answer.head.headers { bytes.writeString("\(name): \(value)\r\n") }
        bytes.writeString("\r\n")
        bytes.writeImmutableBuffer(answer.body)
        return bytes
    }

    private static let pauses = ["1", "2", "3", "4"]

    private static let template: (before: ByteBuffer, after: ByteBuffer) = {
        let mark = "00000000-0000-0000-0000-000000000000"
        let text = String(buffer: Problem.overloaded().body(requestID: mark))
        let parts = text.components(separatedBy: mark)
        return (ByteBuffer(string: parts[0]), ByteBuffer(string: parts.count == 2 ? parts[1] : ""))
    }()
}
