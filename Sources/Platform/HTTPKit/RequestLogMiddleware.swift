import Hummingbird
import Logging

/// One line per request: method, route template, status, milliseconds. Never the path or the query: invite codes, file
/// names and signatures stand in them.
struct RequestLogMiddleware: RouterMiddleware {
    /// Templates that are asked for every few seconds by machines: logged at debug level.
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
    /// The template of the route that answers, `unmatched` where there is none: fit for labels.
    var routeLabel: String {
        guard let endpointPath, endpointPath.hasPrefix("/") else { return "unmatched" }
        return endpointPath
    }
}

extension HTTPRequest.Method {
    /// One of a bounded set.
    var label: String {
        switch self {
        case .get, .head, .post, .put, .patch, .delete, .options: rawValue
        default: "OTHER"
        }
    }
}
