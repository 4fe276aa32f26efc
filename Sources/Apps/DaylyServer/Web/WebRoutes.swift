import HTTPKit
import Hummingbird

/// The web client: its shell at `/` and at the client's own routes, its files below their version, and the files whose
/// addresses browsers keep.
struct WebRoutes: Sendable {
    let source: WebClientSource

    /// - Parameter router: has all other routes already, because the client's routes are those that nothing else has.
    func addRoutes(to router: AppRouter) {
        router.get("/") { request, _ in await source.current().shell.response(to: request) }
        router.get("/sw.js") { request, _ in
            try Self.answer(await source.current().worker, to: request)
        }
        router.get("/manifest.webmanifest") { request, _ in
            try Self.answer(source.latest.manifest, to: request)
        }
        router.get("/icons/**") { request, context in
            try Self.answer(source.latest.icons[context.rest], to: request)
        }
        router.get("/app/:version/**") { request, context in
            let client = source.latest
            // Another version's file must not be answered by this one's: browsers keep it for a year.
            guard context.parameters.get("version") == client.version else { throw Problem.notFound }
            return try Self.answer(client.assets[context.rest], to: request)
        }
        // Hummingbird runs a middleware that is added after the routes only for requests that match no route.
        router.add(middleware: ClientRouteMiddleware(source: source, routes: router.routes.map(\.template)))
    }

    private static func answer(_ asset: WebAsset?, to request: Request) throws(Problem) -> Response {
        guard let asset else { throw .notFound }
        return asset.response(to: request)
    }
}

extension AppContext {
    /// The part of the path that `**` stands for.
    fileprivate var rest: String { parameters.getCatchAll().joined(separator: "/") }
}

/// Answers navigations to the client's routes with the shell. They are the paths that are neither below one of the server's
/// own nor names of files: a missing file must stay a 404, since a browser would take the shell for the file.
struct ClientRouteMiddleware: RouterMiddleware {
    private let source: WebClientSource
    /// The first segments of the server's paths.
    private let reserved: Set<Substring>

    init(source: WebClientSource, routes: [String]) {
        self.source = source
        // Both exist on some deployments and ports only.
        reserved = Set(routes.compactMap { $0.split(separator: "/").first } + ["files", "metrics"])
    }

    func handle(
        _ request: Request, context: AppContext,
        next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        guard isNavigation(request) else { return try await next(request, context) }
        // Logs and metrics show one route for all of them.
        context.coreContext.endpointPath.value = "/"
        return await source.current().shell.response(to: request)
    }

    private func isNavigation(_ request: Request) -> Bool {
        let segments = request.uri.path.split(separator: "/")
        guard request.method == .get || request.method == .head, let first = segments.first,
            let last = segments.last, !reserved.contains(first), !last.contains(".")
        else { return false }
        return request.headers[values: .accept].contains { $0.lowercased().contains("text/html") }
    }
}
