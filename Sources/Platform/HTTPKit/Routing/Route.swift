import Hummingbird

/// One call of the API, with its traits. A feature declares its routes; everything that treats a route specially reads
/// the traits, so that no path is matched a second time.
package struct Route: Sendable {
    package enum Trait: Sendable, Hashable {
        /// The call needs no access token, or its handler identifies the caller by itself. On every other route
        /// somebody without a live session gets 401.
        case open
        /// The body is large and takes as long as its sender's network. Such requests have places of their own.
        case bulk
        /// The service never refuses the call because of overload, since machines ask it how the service is.
        case exempt
        /// The call only reads, by one statement, and PostgreSQL checks the caller's session in the same message. Its
        /// handler has a `caller` and no `identity`.
        case reads
        /// The call may erase something or end a session. Its answer waits until the erasure is in the journal.
        case erases
    }

    package typealias Handler = @Sendable (Request, AppContext) async throws -> Response

    package let method: HTTPRequest.Method
    /// The path below `/v1/`, without a slash at its start: `groups/:id/photos`.
    package let path: String
    package let traits: Set<Trait>
    package let handler: Handler

    package init(
        _ method: HTTPRequest.Method, _ path: String, _ traits: Trait...,
        use handler: @escaping @Sendable (Request, AppContext) async throws -> some ResponseGenerator
    ) {
        self.method = method
        self.path = path
        self.traits = Set(traits)
        self.handler = { request, context in
            try await handler(request, context).response(from: request, context: context)
        }
    }

    /// The same call where its product is left out: 404 for everybody, although the path has other methods.
    package var absent: Route {
        Route(method, path, .open) { _, _ -> HTTPResponse.Status in throw Problem.notFound }
    }
}

extension RouterGroup<AppContext> {
    /// Adds routes below this group.
    ///
    /// - Parameters:
    ///   - authenticator: identifies the callers of every route that is not `.open`.
    ///   - receipts: wraps every route that `.erases`; nil in tests without a journal.
    package func add(
        _ routes: [Route], authenticator: some CallerAuthentication,
        receipts: (any MiddlewareProtocol<Request, Response, AppContext>)? = nil
    ) {
        for route in routes {
            let group = self.group()
            if route.traits.contains(.erases), let receipts { group.add(middleware: receipts) }
            if !route.traits.contains(.open) {
                let isRead = route.traits.contains(.reads)
                group.add(middleware: isRead ? authenticator.reading : authenticator.identifying)
            }
            group.on(RouterPath(route.path), method: route.method, use: route.handler)
        }
    }
}
