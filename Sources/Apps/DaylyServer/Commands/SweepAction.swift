import DailyPhotos
import Jobs
import Logging

/// `dayly sweep`.
package enum SweepAction {
    /// Deletes all that is due. SIGTERM and SIGINT end it between two batches.
    ///
    /// - Parameter progress: Called after every batch.
    package static func once(
        configuration: ServerConfiguration, logger: Logger,
        progress: @escaping @Sendable (SweepReport) -> Void
    ) async throws -> SweepReport {
        try await configuration.withDatabaseAndBucket(logger: logger) { place in
            let (reports, report) = AsyncStream<SweepReport>.makeStream()
            let sweeper = sweeper(place)
            try await place.runUntilSignal(
                Once { report.yield(try await sweeper.runOnce(progress: progress)) })
            report.finish()
            for await found in reports { return found }
            throw CancellationError()
        }
    }

    /// Counts what a sweep would delete.
    package static func dryRun(
        configuration: ServerConfiguration, logger: Logger
    ) async throws -> SweepReport {
        try await configuration.withDatabaseAndBucket(logger: logger) { try await sweeper($0).dryRun() }
    }

    /// Sweeps again and again until SIGTERM or SIGINT, which end it between two batches.
    ///
    /// - Parameters:
    ///   - start: Called once database and bucket are open.
    ///   - progress: Called after every batch.
    ///   - report: Called after every sweep.
    package static func watch(
        configuration: ServerConfiguration, logger: Logger, start: () -> Void,
        progress: @escaping @Sendable (SweepReport) -> Void,
        report: @escaping @Sendable (SweepReport) -> Void
    ) async throws {
        try await configuration.withDatabaseAndBucket(logger: logger) { place in
            start()
            let sweeper = sweeper(place)
            try await place.runUntilSignal(
                PeriodicJob(
                    name: "photo_sweep", interval: configuration.photos.sweepInterval, logger: logger
                ) {
                    let done = try await sweeper.runOnce(progress: progress)
                    report(done)
                    try done.requireStore()
                })
        }
    }

    static func sweeper(_ place: DatabaseAndBucket) -> PhotoSweeper {
        PhotoSweeper(postgres: place.database, objects: place.store, logger: place.logger)
    }
}
