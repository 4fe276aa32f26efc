import Hummingbird

/// Answers each request in a task of its own.
///
/// A task keeps the memory of the deepest call that it has ever made. A connection's task lives as long as the connection,
/// which may wait for its next request or write a stream for hours.
package struct AppResponder: HTTPResponder {
    let router: RouterResponder<AppContext>

    package func respond(to request: Request, context: AppContext) async throws -> Response {
        async let response = router.respond(to: request, context: context)
        return try await response
    }
}
