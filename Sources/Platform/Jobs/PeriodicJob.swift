import Logging
import Metrics
import Resilience
import ServiceLifecycle

/// Work that is done again and again while the service runs. `runOnce` is what tests and the command line call
/// directly; a run that fails is logged and the next one comes all the same, after a pause that doubles with every
/// failure in a row.
package struct PeriodicJob: Service {
    package let name: String
    /// However often it has failed, a job of a shorter interval is tried again after so long.
    static let longestPause: Duration = .seconds(30)

    package let runOnce: @Sendable () async throws -> Void
    private let interval: Duration
    private let jitter: Double
    private let leases: JobLeaseStore?
    private let logger: Logger

    /// - Parameters:
    ///   - interval: between the end of one run and the start of the next.
    ///   - jitter: the part of the interval by which a pause may be shorter, so that instances do not keep step.
    ///   - leases: given where one process does the job for all. The others skip their runs while that one lives.
    package init(
        name: String, interval: Duration, jitter: Double = 0.2, leases: JobLeaseStore? = nil, logger: Logger,
        runOnce: @escaping @Sendable () async throws -> Void
    ) {
        self.name = name
        self.interval = interval
        self.jitter = min(max(jitter, 0), 1)
        self.leases = leases
        self.logger = logger
        self.runOnce = runOnce
    }

    /// Runs at once, then after every pause, until shutdown: a run under way is finished, a pause is cut short.
    package func run() async throws {
        var failures = 0
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            failures = await runAndReport() ? 0 : failures + 1
            let pause = pause(afterFailures: failures, random: .random(in: 0...1))
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: pause) }
        }
        // So that the next process need not wait for the lease's end.
        try? await leases?.release(name)
    }

    /// As long as a process that lives needs at most from one renewal to the next.
    private var leaseDuration: Duration { interval + .seconds(60) }

    /// Runs once where this process has the lease, or where the job has none.
    ///
    /// - Parameter renewal: how often the lease is renewed during the run.
    /// - Returns: false where another process does the job.
    func runAsHolder(renewal: Duration = .seconds(15)) async throws -> Bool {
        guard let leases else {
            try await runOnce()
            return true
        }
        guard try await leases.claim(name, for: leaseDuration) else { return false }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await runOnce() }
            group.addTask { try await renew(leases, every: renewal) }
            defer { group.cancelAll() }
            // Whichever ends first: the run, or the lease.
            try await group.next()
        }
        // From now on the pause counts.
        _ = try await leases.claim(name, for: leaseDuration)
        return true
    }

    /// Returns with an error only: when another process has taken the lease. A renewal that fails otherwise is tried
    /// again, because the run need not end for it.
    private func renew(_ leases: JobLeaseStore, every renewal: Duration) async throws {
        while true {
            try await Task.sleep(for: renewal)
            if let isHeld = try? await leases.claim(name, for: leaseDuration), !isHeld {
                throw JobLeaseLost(job: name)
            }
        }
    }

    /// - Parameters:
    ///   - failures: how many there were in a row.
    ///   - random: uniformly from 0 to 1.
    func pause(afterFailures failures: Int, random: Double) -> Duration {
        guard failures > 0 else { return interval * (1 - jitter * random) }
        let backoff = Backoff(
            first: interval * 2, longest: max(interval, Self.longestPause), jitter: max(jitter, 0.5))
        return backoff.pause(afterFailures: failures, random: random)
    }

    /// False for a run that failed.
    private func runAndReport() async -> Bool {
        let started = ContinuousClock.now
        var outcome = "done"
        do {
            guard try await runAsHolder() else { return true }
        } catch let error where error is CancellationError || Task.isCancelled {
            // Whatever it was in the middle of says so in words of its own.
            outcome = "cancelled"
        } catch {
            outcome = "failed"
            logger.error(
                "a periodic job failed",
                metadata: ["job": "\(name)", "error": "\(String(reflecting: error))"])
        }
        Timer(label: "dayly_job_seconds", dimensions: [("job", name), ("outcome", outcome)])
            .recordSeconds((ContinuousClock.now - started) / .seconds(1))
        return outcome != "failed"
    }
}
