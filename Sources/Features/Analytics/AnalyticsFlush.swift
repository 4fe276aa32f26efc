import Logging
import Postgres
import ServiceLifecycle

/// Adds the process's tally, and what transactions have noted, to the day's totals, every few seconds and once more at shutdown.
struct AnalyticsFlush: Service {
    private let store: AnalyticsStore
    private let tally: AnalyticsTally
    private let interval: Duration
    private let logger: Logger

    init(
        postgres: PostgresClient, tally: AnalyticsTally, every interval: Duration = .seconds(5),
        logger: Logger
    ) {
        store = AnalyticsStore(postgres: postgres)
        self.tally = tally
        self.interval = interval
        self.logger = logger
    }

    /// Runs until graceful shutdown or cancellation. It must end after the last request was answered.
    func run() async throws {
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: interval) }
            await runAndReport()
        }
    }

    /// Counts that cannot be written stay for the next run. When the outcome of COMMIT is unknown, the counts are dropped,
    /// because they must not be added twice.
    func runOnce() async throws {
        let totals = tally.take()
        if !totals.isEmpty {
            do {
                try await store.add(totals)
            } catch PostgresError.commitOutcomeUnknown {
                throw PostgresError.commitOutcomeUnknown
            } catch {
                tally.add(totals)
                throw error
            }
        }
        try await store.sumUp()
    }

    private func runAndReport() async {
        do {
            try await runOnce()
        } catch {
            logger.warning(
                "analytics totals could not be written", metadata: ["error": "\(String(reflecting: error))"])
        }
    }
}
