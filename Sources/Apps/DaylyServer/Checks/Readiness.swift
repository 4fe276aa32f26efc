import Logging

/// One thing without which requests cannot be served.
struct ReadinessCheck: Sendable {
    /// What stands in the answer: `database`.
    let name: String
    let run: @Sendable () async throws -> Void
}

/// Whether requests can be served. Asked by everybody, so what was found holds for a moment, and several who ask
/// at once share one look.
actor Readiness {
    private let checks: [ReadinessCheck]
    private let timeout: Duration
    private let lifetime: Duration
    private let logger: Logger
    private var found: (failing: [String], at: ContinuousClock.Instant)?
    private var looking: Task<[String], Never>?

    /// - Parameters:
    ///   - timeout: what one check may take.
    ///   - lifetime: how long an answer is given again.
    init(
        checks: [ReadinessCheck], timeout: Duration = .seconds(2), lifetime: Duration = .seconds(1),
        logger: Logger
    ) {
        self.checks = checks
        self.timeout = timeout
        self.lifetime = lifetime
        self.logger = logger
    }

    /// The names of the checks that fail; empty when all is well.
    func failing() async -> [String] {
        if let found, found.at.duration(to: .now) < lifetime { return found.failing }
        if let looking { return await looking.value }
        let look = Task { await runChecks() }
        looking = look
        let failing = await look.value
        found = (failing, .now)
        looking = nil
        return failing
    }

    private func runChecks() async -> [String] {
        await withTaskGroup(of: (String, Bool).self) { group in
            for check in checks {
                group.addTask { (check.name, await self.passes(check)) }
            }
            var failing: Set<String> = []
            for await (name, passes) in group where !passes { failing.insert(name) }
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

/// Something took longer than it may.
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
