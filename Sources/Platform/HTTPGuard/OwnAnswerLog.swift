import HTTPKit
import Logging
import Metrics
import Synchronization

/// Counts and logs the answers that connections give without the application. Middlewares do so for all other answers.
///
/// The first refusal is logged at once, and then their number every ten seconds: a line for each would cost more than the
/// refusal.
final class OwnAnswerLog: Sendable {
    private struct State {
        var refused = 0
        var nextLine: ContinuousClock.Instant?
    }

    private static let interval = Duration.seconds(10)

    private let logger: Logger
    /// Looked up once, because a look-up for each refusal would cost too much.
    private let overloaded = OwnAnswerLog.counter(status: 503, route: "refused")
    private let state = Mutex(State())

    init(logger: Logger) {
        self.logger = logger
    }

    func refused() {
        overloaded.increment()
        let now = ContinuousClock.now
        let count = state.withLock { state -> Int? in
            state.refused += 1
            if let next = state.nextLine, now < next { return nil }
            defer { state.refused = 0 }
            state.nextLine = now + Self.interval
            return state.refused
        }
        guard let count else { return }
        logger.warning("the service is overloaded: requests are refused", metadata: ["refused": "\(count)"])
    }

    func answered(_ problem: Problem, requestID: String) {
        Self.counter(status: problem.status.code, route: "unmatched").increment()
        logger.info(
            "request",
            metadata: [
                "method": "OTHER", "route": "unmatched", "status": .stringConvertible(problem.status.code),
                "request_id": .string(requestID),
            ])
    }

    private static func counter(status: Int, route: String) -> Counter {
        Counter(
            label: "dayly_http_requests_total",
            dimensions: [("method", "OTHER"), ("route", route), ("status", String(status))])
    }
}
