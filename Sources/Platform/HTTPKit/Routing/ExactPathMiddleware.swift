import Hummingbird

/// Answers 404 to a path with an empty segment (`//v1/groups`, `/v1//groups`, `/v1/groups/`). Hummingbird's router
/// skips empty segments, while a proxy and its access rules may take such a path for another one.
struct ExactPathMiddleware: RouterMiddleware {
    /// The first segments, in lower case, of paths that people and messengers spell. Their routes read what is there.
    let spelled: Set<String>

    func handle(
        _ request: Request, context: AppContext,
        next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        guard Self.isExact(path) || spelled.contains(path.split(separator: "/").first?.lowercased() ?? "")
        else {
            throw Problem.notFound
        }
        return try await next(request, context)
    }

    static func isExact(_ path: String) -> Bool {
        let (bytes, slash) = (path.utf8, UInt8(ascii: "/"))
        if bytes.count <= 1 { return true }
        return bytes.last != slash && !zip(bytes, bytes.dropFirst()).contains { $0 == slash && $1 == slash }
    }
}
