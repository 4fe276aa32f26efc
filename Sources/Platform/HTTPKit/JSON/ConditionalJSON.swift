import Crypto
import Hummingbird
import NIOCore

/// A JSON answer whose `ETag` is a hash of the body. It becomes 304 for a matching `If-None-Match`.
package struct ConditionalJSON<Body: Encodable & Sendable>: ResponseGenerator, Sendable {
    package var body: Body

    package init(_ body: Body) {
        self.body = body
    }

    package func response(from request: Request, context: some RequestContext) throws -> Response {
        let json = try WireJSON.encode(body)
        let tag = EntityTag(json.withUnsafeReadableBytes { SHA256.hash(data: $0) })
        if request.knownTags?.matches(tag) ?? false {
            return Response(status: .notModified, headers: tag.headers)
        }
        return .json(json, tag)
    }
}

/// A JSON answer whose `ETag` is known before its body, so that a 304 does not cost a body.
package enum ValidatedJSON<Body: Encodable & Sendable>: ResponseGenerator, Sendable {
    /// The client has the body already: 304.
    case unchanged(EntityTag)
    case full(Body, EntityTag)

    /// - Parameters:
    ///   - tag: the tag that the body would have.
    ///   - full: makes the body and its tag, which may differ, since the data may have changed.
    package init(
        _ request: Request, tag: EntityTag, full: () async throws -> (body: Body, tag: EntityTag)
    ) async throws {
        if request.knownTags?.matches(tag) ?? false {
            self = .unchanged(tag)
        } else {
            let made = try await full()
            self = .full(made.body, made.tag)
        }
    }

    /// Computes the tag alone first if the client sends `If-None-Match`.
    ///
    /// - Parameters:
    ///   - tag: computes the tag that the body would have. It is called only for requests with `If-None-Match`.
    ///   - full: makes the body and its tag. The tag may differ from an earlier one, since the data may have changed.
    package init(
        _ request: Request, tag: () async throws -> EntityTag,
        full: () async throws -> (body: Body, tag: EntityTag)
    ) async throws {
        if let known = request.knownTags {
            let tag = try await tag()
            if known.matches(tag) {
                self = .unchanged(tag)
                return
            }
        }
        let made = try await full()
        self = .full(made.body, made.tag)
    }

    package func response(from request: Request, context: some RequestContext) throws -> Response {
        switch self {
        case .unchanged(let tag): Response(status: .notModified, headers: tag.headers)
        case .full(let body, let tag): .json(try WireJSON.encode(body), tag)
        }
    }
}

extension Response {
    fileprivate static func json(_ json: ByteBuffer, _ tag: EntityTag) -> Response {
        var headers = tag.headers
        headers[.contentType] = "application/json; charset=utf-8"
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: json))
    }
}
