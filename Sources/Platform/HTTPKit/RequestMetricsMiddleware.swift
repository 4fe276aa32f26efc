import Hummingbird
import Metrics

/// `dayly_http_requests_total{method,route,status}`, `dayly_http_request_seconds{route}` and
/// `dayly_http_requests_in_flight`. The measured time ends when the answer's head is ready.
struct RequestMetricsMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: AppContext,
        next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        let inFlight = Meter(label: "dayly_http_requests_in_flight")
        inFlight.increment()
        defer { inFlight.decrement() }
        let start = ContinuousClock.now
        let response = try await next(request, context)
        let route = context.routeLabel
        Counter(
            label: "dayly_http_requests_total",
            dimensions: [
                ("method", request.method.label), ("route", route), ("status", String(response.status.code)),
            ]
        ).increment()
        Timer(label: "dayly_http_request_seconds", dimensions: [("route", route)])
            .recordSeconds(start.duration(to: .now).seconds)
        return response
    }
}
