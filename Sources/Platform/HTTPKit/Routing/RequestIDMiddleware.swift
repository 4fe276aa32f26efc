import Hummingbird
import Logging

/// The outermost middleware. It gives the request its id (in `context.logger`, in the answer's `X-Request-ID` and in every
/// problem), finds the client's address, and adds the headers that all answers have.
struct RequestIDMiddleware: RouterMiddleware {
    let trustedProxies: TrustedProxies

    func handle(
        _ request: Request, context: AppContext,
        next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.requestID = request.headers[.requestID].flatMap(RequestID.accepted) ?? RequestID.new()
        // Hummingbird's own counter would be a second id, unique only within this process.
        context.logger[metadataKey: "hb.request.id"] = nil
        context.logger[metadataKey: "request_id"] = .string(context.requestID)
        context.clientAddress = trustedProxies.clientAddress(
            peer: context.remoteAddress, forwardedFor: request.headers[values: .forwardedFor])

        var response = try await next(request, context)
        response.headers[.requestID] = context.requestID
        response.headers[.xContentTypeOptions] = "nosniff"
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return request.method == .head ? Self.withoutBody(response) : response
    }

    /// The answer to HEAD has no `Content-Length` if the answer to GET has none.
    private static func withoutBody(_ response: Response) -> Response {
        guard response.body.contentLength == nil else { return response.createHeadResponse() }
        return Response(
            status: response.status, headers: response.headers,
            body: ResponseBody { writer in try await writer.finish(nil) })
    }
}
