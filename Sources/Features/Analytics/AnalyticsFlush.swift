import Logging
import Postgres
import ServiceLifecycle

/// Adds the process's tally to the day's totals, every few seconds and once more at shutdown.
package struct AnalyticsFlush: Service {
    private let postgres: PostgresClient
    private let tally: AnalyticsTally
    private let interval: Duration
    private let logger: Logger

    package init(
        postgres: PostgresClient, tally: AnalyticsTally, every interval: Duration = .seconds(5),
        logger: Logger
    ) {
        self.postgres = postgres
        self.tally = tally
        self.interval = interval
        self.logger = logger
    }

    /// Until graceful shutdown or cancellation. It must end after the last request has been answered.
    package func run() async throws {
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: interval) }
            await runAndReport()
        }
    }

    /// Counts that cannot be written stay for the next run. When the outcome of COMMIT is unknown, the counts are
    /// given up: they must not be added twice.
    package func runOnce() async throws {
        let totals = tally.take()
        guard !totals.isEmpty else { return }
        do {
            try await postgres.transaction { tx in try AnalyticsStore.add(tx, totals) }
        } catch PostgresError.commitOutcomeUnknown {
            throw PostgresError.commitOutcomeUnknown
        } catch {
            tally.add(totals)
            throw error
        }
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
