import Hummingbird

/// The root router: Hummingbird's with the middlewares that every request passes, HEAD for every GET, and 405 for a
/// known path with another method.
package final class AppRouter: RouterMethods, HTTPResponderBuilder {
    package typealias Context = AppContext
    private let router: Router<AppContext>

    /// - Parameter mapError: the problem that an error of a lower layer is (a database that is down, say); nil for what
    ///   nobody expected, which is logged in full and answered as 500. `Problem` and `ProblemConvertible` need no
    ///   mapping.
    package init(
        trustedProxies: TrustedProxies = .none,
        mapError: @escaping @Sendable (any Error) -> Problem? = { _ in nil }
    ) {
        router = Router(context: AppContext.self, options: .autoGenerateHeadEndpoints)
    }

    @discardableResult
    package func on<Responder: HTTPResponder>(
        _ path: RouterPath, method: HTTPRequest.Method, responder: Responder
    ) -> Self where Responder.Context == AppContext {
        router.on(path, method: method, responder: responder)
        return self
    }

    @discardableResult
    package func add(middleware: any MiddlewareProtocol<Request, Response, AppContext>) -> Self {
        router.add(middleware: middleware)
        return self
    }

    package func buildResponder() -> RouterResponder<AppContext> {
        router.buildResponder()
    }

    /// The routes that were added: method and template.
    package var routes: [(method: HTTPRequest.Method, template: String)] {
        router.routes.map { ($0.method, $0.path.description) }
    }
}
