import DailyPhotos
import Jobs
import Logging
import ObjectStorage
import Postgres
import Restoration
import ServiceLifecycle

extension Features {
    /// Looks every minute, or oftener, whether an audit is due: over all instances there is one in an interval.
    static func audit(
        _ configuration: ServerConfiguration, _ database: PostgresClient, _ store: any ObjectStore,
        _ restoreGuard: RestoreGuard, _ logger: Logger
    ) -> [any Service] {
        let interval = configuration.audit.interval
        guard interval > .zero else { return [] }
        var settings = AuditSettings(lifetime: configuration.photos.lifetime)
        settings.mends = true
        settings.requestsPerSecond = configuration.audit.requestsPerSecond
        let audit = PhotoAudit(
            postgres: database, objects: store, name: "service",
            isBucketKnown: { try await restoreGuard.knowsBucket() }, logger: logger)
        let job = AuditJob(audit, settings, every: interval, logger: logger)
        return [
            PeriodicJob(name: "audit", interval: min(interval, .seconds(60)), logger: logger) {
                try await job.runOnce()
            }
        ]
    }
}
