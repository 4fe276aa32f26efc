import Hummingbird
import Logging

/// Logs one line per request: method, route template, status and milliseconds. The path and the query are never logged,
/// because they contain invitation codes, file names and signatures.
struct RequestLogMiddleware: RouterMiddleware {
    /// The templates that machines request every few seconds. They are logged at debug level.
    let quietRoutes: Set<String>

    func handle(
        _ request: Request, context: AppContext,
        next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        let route = context.routeLabel
        context.logger.log(
            level: quietRoutes.contains(route) ? .debug : .info, "request",
            metadata: [
                "method": .string(request.method.label),
                "route": .string(route),
                "status": .stringConvertible(response.status.code),
                "milliseconds": .stringConvertible(start.duration(to: .now).milliseconds),
            ])
        return response
    }
}

extension AppContext {
    /// The template of the route that answers, or `unmatched`. It is fit for labels, since there are few of them.
    var routeLabel: String {
        guard let endpointPath, endpointPath.hasPrefix("/") else { return "unmatched" }
        return endpointPath
    }
}

extension HTTPRequest.Method {
    /// A label out of a bounded set.
    var label: String {
        switch self {
        case .get, .head, .post, .put, .patch, .delete, .options: rawValue
        default: "OTHER"
        }
    }
}
