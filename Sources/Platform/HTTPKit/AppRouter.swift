import Hummingbird

/// The root router: Hummingbird's with the middlewares that every request passes, HEAD for every GET, and 405 for a
/// known path with another method.
package final class AppRouter: RouterMethods, HTTPResponderBuilder {
    package typealias Context = AppContext
    private let router: Router<AppContext>
    private var isComplete = false
    /// The routes that were added: method and template.
    package private(set) var routes: [(method: HTTPRequest.Method, template: String)] = []

    /// - Parameters:
    ///   - trustedProxies: whose `X-Forwarded-For` is believed.
    ///   - quietRoutes: templates whose requests are logged at debug level.
    ///   - mapError: the problem that an error of a lower layer is (a database that is down, say); nil for what nobody
    ///     expected, which is logged in full and answered as 500. `Problem` and `ProblemConvertible` need no mapping.
    package init(
        trustedProxies: TrustedProxies = .none,
        quietRoutes: Set<String> = ["/healthz", "/readyz"],
        mapError: @escaping @Sendable (any Error) -> Problem? = { _ in nil }
    ) {
        router = Router(context: AppContext.self)
        router.addMiddleware {
            RequestIDMiddleware(trustedProxies: trustedProxies)
            RequestMetricsMiddleware()
            RequestLogMiddleware(quietRoutes: quietRoutes)
            ProblemMiddleware(map: mapError)
            ExactPathMiddleware()
        }
    }

    @discardableResult
    package func on<Responder: HTTPResponder>(
        _ path: RouterPath, method: HTTPRequest.Method, responder: Responder
    ) -> Self where Responder.Context == AppContext {
        router.on(path, method: method, responder: responder)
        // Hummingbird's own HEAD would claim a length of 0 for a stream. The outermost middleware takes the body away.
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

    /// Hummingbird answers 404 to a known path with a wrong method: each template gets a handler for every method that
    /// the parser knows and nobody added.
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

    /// llhttp's list; it takes no other.
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
