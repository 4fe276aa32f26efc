import Hummingbird
import Metrics
import Synchronization

/// `dayly_http_requests_total{method,route,status}`, `dayly_http_request_seconds{route}` and
/// `dayly_http_requests_in_flight`. The measured time ends when the answer's head is ready.
struct RequestMetricsMiddleware: RouterMiddleware {
    private let inFlight = Meter(label: "dayly_http_requests_in_flight")
    private let series = RequestSeries()

    func handle(
        _ request: Request, context: AppContext,
        next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        inFlight.increment()
        defer { inFlight.decrement() }
        let start = ContinuousClock.now
        let response = try await next(request, context)
        let (count, seconds) = series.of(
            method: request.method.label, route: context.routeLabel, status: Int(response.status.code))
        count.increment()
        seconds.recordSeconds(start.duration(to: .now).seconds)
        return response
    }
}

/// The series of requests, kept because it takes longer to find them by their labels than to count. Routes, methods and
/// status codes are few, so the number of series is bounded.
private final class RequestSeries: Sendable {
    private struct Key: Hashable {
        let method: String
        let route: String
        let status: Int
    }

    private let known = Mutex<[Key: (Counter, Timer)]>([:])

    func of(method: String, route: String, status: Int) -> (count: Counter, seconds: Timer) {
        known.withLock { known in
            let key = Key(method: method, route: route, status: status)
            if let series = known[key] { return series }
            let labels = [("method", method), ("route", route), ("status", String(status))]
            let series = (
                Counter(label: "dayly_http_requests_total", dimensions: labels),
                Timer(label: "dayly_http_request_seconds", dimensions: [("route", route)])
            )
            known[key] = series
            return series
        }
    }
}
