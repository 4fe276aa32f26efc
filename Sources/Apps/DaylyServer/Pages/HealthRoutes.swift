import HTTPKit
import Hummingbird

/// `GET /healthz`: the process is alive; it checks nothing else. `GET /readyz`: requests can be served.
///
/// Both are on the public port and on the admin port, where clients cannot use up the connections.
struct HealthRoutes: Sendable {
    private struct Health: Codable, Sendable {
        let status: String
    }

    let readiness: Readiness

    func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/healthz") { _, _ in
            Reply(headers: [.cacheControl: "no-store"], Health(status: "ok"))
        }
        router.get("/readyz") { _, _ in
            let failing = await readiness.failing()
            guard failing.isEmpty else {
                var problem = Problem.unavailable()
                problem.detail = "Not ready: \(failing.joined(separator: ", "))."
                throw problem
            }
            return Reply(headers: [.cacheControl: "no-store"], Health(status: "ready"))
        }
    }
}
