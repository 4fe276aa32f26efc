import Logging
import Metrics
import Resilience
import ServiceLifecycle

/// Work that is repeated while the service runs. Tests and commands call `runOnce` directly. A run that fails is logged, and
/// the next one follows after a pause that doubles with every failure in a row.
package struct PeriodicJob: Service {
    package let name: String
    /// The longest pause after failures of a job whose interval is shorter.
    static let longestPause: Duration = .seconds(30)

    package let runOnce: @Sendable () async throws -> Void
    private let interval: Duration
    private let jitter: Double
    private let leases: JobLeaseStore?
    private let logger: Logger

    /// - Parameters:
    ///   - interval: the time from the end of one run to the start of the next one.
    ///   - jitter: the part of the interval by which a pause may be shorter, so that instances do not run at the same time.
    ///   - leases: set if one process does the job for all. The others skip their runs while it has the lease.
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

    /// Runs at once, then after every pause, until shutdown. Shutdown waits for a run and interrupts a pause.
    package func run() async throws {
        var failures = 0
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            failures = await runAndReport() ? 0 : failures + 1
            let pause = pause(afterFailures: failures, random: .random(in: 0...1))
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: pause) }
        }
        // Another process can take the job at once instead of waiting for the lease's expiry.
        try? await leases?.release(name)
    }

    /// Longer than a living process takes from one renewal to the next.
    private var leaseDuration: Duration { interval + .seconds(60) }

    /// Runs once if this process has the lease, or if the job has none.
    ///
    /// - Parameter renewal: how often the lease is renewed during the run.
    /// - Returns: false if another process does the job.
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
            // The run has ended or the lease was lost.
            try await group.next()
        }
        // The lease must last through the pause.
        _ = try await leases.claim(name, for: leaseDuration)
        return true
    }

    /// Renews the lease until the task is cancelled. If a renewal fails it is tried again, because the run can go on.
    ///
    /// - Throws: `JobLeaseLost` if another process has taken the lease; `CancellationError`.
    private func renew(_ leases: JobLeaseStore, every renewal: Duration) async throws {
        while true {
            try await Task.sleep(for: renewal)
            if let isHeld = try? await leases.claim(name, for: leaseDuration), !isHeld {
                throw JobLeaseLost(job: name)
            }
        }
    }

    /// - Parameters:
    ///   - failures: the number of failures in a row.
    ///   - random: uniformly distributed from 0 to 1.
    func pause(afterFailures failures: Int, random: Double) -> Duration {
        guard failures > 0 else { return interval * (1 - jitter * random) }
        let backoff = Backoff(
            first: interval * 2, longest: max(interval, Self.longestPause), jitter: max(jitter, 0.5))
        return backoff.pause(afterFailures: failures, random: random)
    }

    /// - Returns: false if the run failed.
    private func runAndReport() async -> Bool {
        let started = ContinuousClock.now
        var outcome = "done"
        do {
            guard try await runAsHolder() else { return true }
        } catch let error where error is CancellationError || Task.isCancelled {
            // A cancelled statement or request throws an error of its own.
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
