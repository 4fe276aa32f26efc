import Logging
import Metrics

/// One condition for serving requests.
struct ReadinessCheck: Sendable {
    /// The name in the answer: `database`.
    let name: String
    let run: @Sendable () async throws -> Void
}

/// Whether requests can be served. Anybody may ask, so a result holds for a moment, and simultaneous questions share one
/// run of the checks.
actor Readiness {
    private let checks: [ReadinessCheck]
    private let timeout: Duration
    private let lifetime: Duration
    private let logger: Logger
    private var found: (failing: [String], at: ContinuousClock.Instant)?
    private var running: Task<[String], Never>?
    private var isDraining = false

    /// - Parameters:
    ///   - timeout: The time limit of one check.
    ///   - lifetime: The time for which a result is repeated.
    init(
        checks: [ReadinessCheck], timeout: Duration = .seconds(2), lifetime: Duration = .seconds(1),
        logger: Logger
    ) {
        self.checks = checks
        self.timeout = timeout
        self.lifetime = lifetime
        self.logger = logger
    }

    /// The process is ending and wants no more requests.
    func beginDraining() { isDraining = true }

    /// The names of the checks that fail; empty if the service is ready.
    func failing() async -> [String] {
        if isDraining { return ["shutdown"] }
        if let found, found.at.duration(to: .now) < lifetime { return found.failing }
        if let running { return await running.value }
        let run = Task { await runChecks() }
        running = run
        let failing = await run.value
        found = (failing, .now)
        running = nil
        return isDraining ? ["shutdown"] : failing
    }

    private func runChecks() async -> [String] {
        await withTaskGroup(of: (String, Bool).self) { group in
            for check in checks {
                group.addTask { (check.name, await self.passes(check)) }
            }
            var failing: Set<String> = []
            for await (name, passes) in group {
                Gauge(label: "dayly_ready", dimensions: [("check", name)]).record(passes ? 1 : 0)
                if !passes { failing.insert(name) }
            }
            return checks.map(\.name).filter(failing.contains)
        }
    }

    private nonisolated func passes(_ check: ReadinessCheck) async -> Bool {
        do {
            try await withTimeout(timeout, check.run)
            return true
        } catch {
            logger.warning(
                "not ready", metadata: ["check": "\(check.name)", "error": "\(String(reflecting: error))"])
            return false
        }
    }
}

/// An operation did not end within its time limit.
struct TimedOut: Error, CustomStringConvertible {
    let after: Duration

    var description: String { "no answer within \(after)" }
}

/// Runs `body` and cancels it after `duration`.
func withTimeout<Value: Sendable>(
    _ duration: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: duration)
            return nil
        }
        defer { group.cancelAll() }
        guard let first = try await group.next(), let value = first else { throw TimedOut(after: duration) }
        return value
    }
}
