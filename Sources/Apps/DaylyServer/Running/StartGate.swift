import HTTPKit
import Hummingbird
import Logging
import ServiceLifecycle
import Synchronization

/// Closed until a start has compared the database with the bucket. Before that the database may hold what was erased, so no
/// call is answered and no job runs.
package final class StartGate: Sendable {
    private let opened = Atomic(false)

    /// The reason why `/readyz` fails while the gate is closed.
    struct Closed: Error, CustomStringConvertible {
        let description = "the database was not compared with the bucket yet"
    }

    var isOpen: Bool { opened.load(ordering: .acquiring) }

    package func open() { opened.store(true, ordering: .releasing) }

    func requireOpen() throws {
        guard isOpen else { throw Closed() }
    }
}

/// Answers 503 instead of every route behind it while the gate is closed, before anything asks the database.
struct StartGateMiddleware: RouterMiddleware {
    typealias Context = AppContext

    let gate: StartGate

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        guard gate.isOpen else { throw Problem.unavailable(retryAfter: .seconds(5)) }
        return try await next(request, context)
    }
}

/// The services that rely on the database. Where the bucket was away at the start, they wait until it answers and the database
/// is in order.
struct GatedServices: Service {
    let gate: StartGate
    let restoring: Restoring
    let services: [any Service]
    let logger: Logger

    func run() async throws {
        if !gate.isOpen {
            let isReady = try await cancelWhenGracefulShutdown {
                try await restoring.prepareOnceBucketAnswers()
            }
            guard isReady else { return }
            gate.open()
        }
        try await ServiceGroup(services: services, logger: logger).run()
    }
}
