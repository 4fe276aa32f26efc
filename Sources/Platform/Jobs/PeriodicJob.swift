import Logging
import Metrics
import ServiceLifecycle

/// Work that is done again and again while the service runs. `runOnce` is what tests and the command line call
/// directly; a run that fails is logged and the next one comes all the same.
package struct PeriodicJob: Service {
    package let name: String
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
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            await runAndReport()
            let pause = interval * Double.random(in: (1 - jitter)...1)
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: pause) }
        }
    }

    private func runAndReport() async {
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
    }
}
