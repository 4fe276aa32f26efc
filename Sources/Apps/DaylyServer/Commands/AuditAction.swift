import DailyPhotos
import Logging

/// `dayly audit`.
package enum AuditAction {
    /// An audit, and the sweep of its orphans if there were any.
    package struct Outcome: Sendable {
        package let report: AuditReport
        package let sweep: SweepReport?
    }

    /// Audits until the end, or until SIGTERM or SIGINT. It sweeps afterwards if it has made orphans due.
    ///
    /// - Parameters:
    ///   - resume: Continues an audit that was interrupted.
    ///   - progress: Called after every page.
    package static func run(
        _ settings: AuditSettings, resume: Bool, configuration: ServerConfiguration, logger: Logger,
        progress: @escaping @Sendable (AuditReport) -> Void
    ) async throws -> Outcome {
        try await configuration.withDatabaseAndBucket(logger: logger) { place in
            let restoreGuard = place.restoreGuard
            let audit = PhotoAudit(
                postgres: place.database, objects: place.store,
                isBucketOurs: { try await restoreGuard.ownsBucket() },
                isBucketTrusted: { try await restoreGuard.trustsBucket() }, logger: logger)
            let (reports, found) = AsyncStream<AuditReport>.makeStream()
            try await place.runUntilSignal(
                Once { found.yield(try await audit.run(settings, resume: resume, progress: progress)) })
            found.finish()
            var last: AuditReport?
            for await report in reports { last = report }
            guard let report = last else { throw CancellationError() }
            guard settings.mends, report.count(of: .orphanObject) > 0 else {
                return Outcome(report: report, sweep: nil)
            }
            return Outcome(report: report, sweep: try await SweepAction.sweeper(place).runOnce())
        }
    }
}
