import Logging
import Metrics
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
    private let logger: Logger

    /// - Parameters:
    ///   - interval: between the end of one run and the start of the next.
    ///   - jitter: the part of the interval by which a pause may be shorter, so that instances do not keep step.
    package init(
        name: String, interval: Duration, jitter: Double = 0.2, logger: Logger,
        runOnce: @escaping @Sendable () async throws -> Void
    ) {
        self.name = name
        self.interval = interval
        self.jitter = min(max(jitter, 0), 1)
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
    }

    /// - Parameters:
    ///   - failures: how many there were in a row.
    ///   - random: uniformly from 0 to 1.
    func pause(afterFailures failures: Int, random: Double) -> Duration {
        guard failures > 0 else { return interval * (1 - jitter * random) }
        let longest = min(interval * (1 << min(failures, 20)), max(interval, Self.longestPause))
        // Those who failed together do not come back together.
        return longest * (1 - max(jitter, 0.5) * random)
    }

    /// False for a run that failed.
    private func runAndReport() async -> Bool {
        let started = ContinuousClock.now
        var outcome = "done"
        do {
            try await runOnce()
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
