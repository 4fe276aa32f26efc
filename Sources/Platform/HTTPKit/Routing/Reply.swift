import Hummingbird

/// A JSON answer: `Reply(group)`, `Reply(status: .created, photo)`. A handler that answers without a body returns an
/// `HTTPResponse.Status` such as `.noContent`.
package struct Reply<Body: Encodable & Sendable>: ResponseGenerator, Sendable {
    package var status: HTTPResponse.Status
    package var headers: HTTPFields
    package var body: Body

    package init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], _ body: Body) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package func response(from request: Request, context: some RequestContext) throws -> Response {
        let json = try WireJSON.encode(body)
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        return Response(status: status, headers: headers, body: .init(byteBuffer: json))
    }
}
