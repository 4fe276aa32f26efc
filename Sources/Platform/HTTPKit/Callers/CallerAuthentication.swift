import Hummingbird

/// Says who calls.
package protocol CallerAuthentication: Sendable {
    typealias Middleware = any MiddlewareProtocol<Request, Response, AppContext>

    /// Fills in the context's `identity`, whose session is live.
    var identifying: Middleware { get }
    /// Fills in the context's `caller`, for routes that `.reads`.
    var reading: Middleware { get }
}

/// A caller whose session has not been checked yet.
package protocol UncheckedCaller: Sendable {}
