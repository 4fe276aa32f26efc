import Hummingbird

/// The root router. It adds to Hummingbird's router the middlewares that every request passes, HEAD for every GET, and 405
/// for a known path with another method.
package final class AppRouter: RouterMethods, HTTPResponderBuilder {
    package typealias Context = AppContext
    private let router: Router<AppContext>
    private var isComplete = false
    /// The method and template of each route that was added.
    package private(set) var routes: [(method: HTTPRequest.Method, template: String)] = []

    /// - Parameters:
    ///   - trustedProxies: the proxies whose `X-Forwarded-For` is believed.
    ///   - spelledPaths: the first segments, in lower case, of paths that may have empty segments, because people spell them.
    ///   - quietRoutes: the templates whose requests are logged at debug level.
    ///   - mapError: turns an error of a lower layer (for example of a database that is down) into a problem. It returns
    ///     nil for an unexpected error, which is logged in full and answered as 500. `Problem` and `ProblemConvertible`
    ///     need no mapping.
    package init(
        trustedProxies: TrustedProxies = .none,
        spelledPaths: Set<String> = [],
        quietRoutes: Set<String> = ["/healthz", "/readyz"],
        mapError: @escaping @Sendable (any Error) -> Problem? = { _ in nil }
    ) {
        router = Router(context: AppContext.self)
        router.addMiddleware {
            RequestIDMiddleware(trustedProxies: trustedProxies)
            RequestMetricsMiddleware()
            RequestLogMiddleware(quietRoutes: quietRoutes)
            ProblemMiddleware(map: mapError)
            ExactPathMiddleware(spelled: spelledPaths)
        }
    }

    @discardableResult
    package func on<Responder: HTTPResponder>(
        _ path: RouterPath, method: HTTPRequest.Method, responder: Responder
    ) -> Self where Responder.Context == AppContext {
        router.on(path, method: method, responder: responder)
        // Hummingbird's own HEAD would claim a length of 0 for a stream. `RequestIDMiddleware` removes the body.
        if method == .get { router.on(path, method: .head, responder: responder) }
        routes.append((method, path.description))
        return self
    }

    @discardableResult
    package func add(middleware: any MiddlewareProtocol<Request, Response, AppContext>) -> Self {
        router.add(middleware: middleware)
        return self
    }

    package func buildResponder() -> AppResponder {
        if !isComplete {
            isComplete = true
            refuseOtherMethods()
        }
        return AppResponder(router: router.buildResponder())
    }

    /// Adds a handler that answers 405 for every method of each template that has no route. Hummingbird would answer 404.
    private func refuseOtherMethods() {
        for (path, routes) in Dictionary(grouping: routes, by: \.template) {
            var methods = Set(routes.map(\.method))
            if methods.contains(.get) { methods.insert(.head) }
            let problem = Problem.methodNotAllowed(allow: methods.sorted { $0.rawValue < $1.rawValue })
            for method in Self.knownMethods where !methods.contains(method) {
                router.on(RouterPath(path), method: method) { _, _ -> HTTPResponse.Status in throw problem }
            }
        }
    }

    /// The methods of llhttp, the parser, which refuses every other one.
    private static let knownMethods: [HTTPRequest.Method] =
        [.get, .head, .post, .put, .patch, .delete, .options, .trace, .connect]
        + [
            "ACL", "BIND", "CHECKOUT", "COPY", "LINK", "LOCK", "MERGE", "MKACTIVITY", "MKCALENDAR", "MKCOL",
            "MOVE",
            "MSEARCH", "NOTIFY", "PROPFIND", "PROPPATCH", "PURGE", "QUERY", "REBIND", "REPORT", "SEARCH",
            "SOURCE",
            "SUBSCRIBE", "UNBIND", "UNLINK", "UNLOCK", "UNSUBSCRIBE",
        ].compactMap { HTTPRequest.Method($0) }
}
