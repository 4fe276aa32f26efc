import DaylyAPI
import Foundation
import Hummingbird
import NIOCore

/// An error answer: RFC 9457 `application/problem+json`. Throw it from any handler.
///
/// `detail` is for a person who uses the API. Facts for operators belong in the log.
package struct Problem: Error, HTTPResponseError, Sendable, Equatable {
    package var status: HTTPResponse.Status
    package var code: ProblemCode
    package var detail: String
    /// Members of this kind of problem, such as `attempts_remaining`.
    package var extensions: [String: JSONValue]
    package var headers: HTTPFields

    /// - Parameter retryAfter: sent as whole seconds, rounded up. Without it, 429 and 503 say 1 second.
    package init(
        _ status: HTTPResponse.Status, _ code: ProblemCode, _ detail: String,
        extensions: [String: JSONValue] = [:], headers: HTTPFields = [:], retryAfter: Duration? = nil
    ) {
        self.status = status
        self.code = code
        self.detail = detail
        self.extensions = extensions
        self.headers = headers
        if let retryAfter {
            self.headers[.retryAfter] = String(retryAfter.wholeSecondsRoundedUp)
        } else if status == .tooManyRequests || status == .serviceUnavailable, headers[.retryAfter] == nil {
            self.headers[.retryAfter] = "1"
        }
        if status == .unauthorized, headers[.wwwAuthenticate] == nil {
            self.headers[.wwwAuthenticate] = "Bearer"
        }
    }

    /// The problem as an answer, with the request's id if the context has one.
    package func response(from request: Request, context: some RequestContext) throws -> Response {
        response(requestID: (context as? AppContext)?.requestID)
    }

    package func response(requestID: String?) -> Response {
        var headers = headers
        headers[.contentType] = "application/problem+json"
        headers[.cacheControl] = "no-store"
        return Response(status: status, headers: headers, body: .init(byteBuffer: body(requestID: requestID)))
    }

    /// The JSON document.
    package func body(requestID: String?) -> ByteBuffer {
        var members = extensions
        members.reserveCapacity(extensions.count + 6)
        members["type"] = .string("/problems/\(code.rawValue)")
        members["title"] = .string(code.title)
        members["status"] = .int(status.code)
        members["detail"] = .string(detail)
        members["code"] = .string(code.rawValue)
        if let requestID, !requestID.isEmpty { members["request_id"] = .string(requestID) }
        var json = JSONWriter(capacity: 512)
        json.object(members)
        return json.buffer
    }
}

/// An error of a feature that converts itself to a problem.
package protocol ProblemConvertible: Error {
    var problem: Problem { get }
}
