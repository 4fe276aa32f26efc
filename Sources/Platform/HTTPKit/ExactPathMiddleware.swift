import Hummingbird

/// Answers 404 to a path with an empty segment (`//v1/groups`, `/v1//groups`, `/v1/groups/`). Hummingbird's router
/// skips empty segments, while a proxy and its access rules may take such a path for another one.
struct ExactPathMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: AppContext,
        next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        guard Self.isExact(request.uri.path) else { throw Problem.notFound }
        return try await next(request, context)
    }

    static func isExact(_ path: String) -> Bool {
        let (bytes, slash) = (path.utf8, UInt8(ascii: "/"))
        if bytes.count <= 1 { return true }
        return bytes.last != slash && !zip(bytes, bytes.dropFirst()).contains { $0 == slash && $1 == slash }
    }
}
