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
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .dropFirst()
        return segments.count == 1 || !segments.contains { $0.isEmpty }
    }
}
