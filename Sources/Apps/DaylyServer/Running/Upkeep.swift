import DailyPhotos
import Groups
import Jobs
import Logging
import ObjectStorage
import Postgres
import Restoration
import ServiceLifecycle

/// What `dayly sweep` and `dayly audit` work with: database and bucket, without a server.
package struct Upkeep: Sendable {
    private let configuration: ServerConfiguration
    private let database: PostgresClient
    private let store: any ObjectStore
    private let restoreGuard: RestoreGuard
    private let logger: Logger

    /// Opens database and bucket for `body` and closes them.
    ///
    /// - Throws: `ServeFailure` on a database that this version must not work on.
    package static func run<Value: Sendable>(
        _ configuration: ServerConfiguration, logger: Logger, _ body: (Upkeep) async throws -> Value
    ) async throws -> Value {
        // Neither sweeping nor auditing reads what is under a key: they look at names in the bucket and at rows.
        let secrets = Secrets.optional(configuration)
        let database = Connections.database(configuration, maxConnections: 4, logger: logger)
        let store = try Gateways.objectStore(configuration, secrets: secrets, logger: logger)
        let upkeep = Upkeep(
            configuration: configuration, database: database, store: store,
            restoreGuard: RestoreGuard(
                postgres: database, objects: store, secret: secrets.secret,
                settings: .init(configuration.restore), logger: logger),
            logger: logger)
        do {
            try await SchemaGate(
                client: upkeep.database, migrationsPath: configuration.database.migrationsPath
            ).requireServable()
            try await upkeep.restoreGuard.requireCurrent()
            let value = try await body(upkeep)
            await upkeep.close()
            return value
        } catch {
            await upkeep.close()
            throw error
        }
    }

    private func close() async {
        await database.close()
        await store.shutdown()
    }

    private var sweeper: PhotoSweeper {
        PhotoSweeper(postgres: database, objects: store, logger: logger)
    }

    /// Forgets all that is due. SIGTERM and SIGINT end it between two batches.
    ///
    /// - Parameter progress: called after every batch.
    package func sweep(progress: @escaping @Sendable (SweepReport) -> Void) async throws -> SweepReport {
        let (reports, report) = AsyncStream<SweepReport>.makeStream()
        let sweeper = sweeper
        try await runUntilSignal(Once { report.yield(try await sweeper.runOnce(progress: progress)) })
        report.finish()
        for await found in reports { return found }
        throw CancellationError()
    }

    package func sweepDryRun() async throws -> SweepReport {
        try await sweeper.dryRun()
    }

    /// Sweeps again and again until SIGTERM or SIGINT, which end it between two batches.
    ///
    /// - Parameters:
    ///   - progress: called after every batch.
    ///   - report: called after every sweep.
    package func watch(
        progress: @escaping @Sendable (SweepReport) -> Void,
        report: @escaping @Sendable (SweepReport) -> Void
    ) async throws {
        let sweeper = sweeper
        try await runUntilSignal(
            PeriodicJob(name: "photo_sweep", interval: configuration.photos.sweepInterval, logger: logger) {
                let done = try await sweeper.runOnce(progress: progress)
                report(done)
                try done.requireStore()
            })
    }

    private func runUntilSignal(_ service: any Service) async throws {
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        let notifier = CommitNotifier(
            database.configuration, channels: [GroupEventSignal.channel], logger: quiet)
        var group = ServiceGroupConfiguration(
            services: [
                .init(service: notifier),
                .init(service: service, successTerminationBehavior: .gracefullyShutdownGroup),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet)
        // A store that does not answer is not waited for: what is claimed is another's when the lease ends.
        group.maximumGracefulShutdownDuration = .seconds(20)
        group.maximumCancellationDuration = .seconds(5)
        try await ServiceGroup(configuration: group).run()
    }

    /// Audits until the end, or until SIGTERM or SIGINT. Where orphans were made due, it sweeps too.
    ///
    /// - Parameters:
    ///   - resume: go on with one that was cut off.
    ///   - progress: called after every page.
    package func audit(
        _ settings: AuditSettings, resume: Bool, progress: @escaping @Sendable (AuditReport) -> Void
    ) async throws -> AuditReport {
        let restoreGuard = restoreGuard
        let audit = PhotoAudit(
            postgres: database, objects: store, isBucketKnown: { try await restoreGuard.knowsBucket() },
            logger: logger)
        let (reports, found) = AsyncStream<AuditReport>.makeStream()
        try await runUntilSignal(
            Once { found.yield(try await audit.run(settings, resume: resume, progress: progress)) })
        found.finish()
        var last: AuditReport?
        for await report in reports { last = report }
        guard let report = last else { throw CancellationError() }
        if settings.mends, report.count(of: .orphanObject) > 0 { try await sweeper.runOnce() }
        return report
    }

    /// What an audit of this service is to do unless told otherwise.
    package var auditSettings: AuditSettings {
        AuditSettings(lifetime: configuration.photos.lifetime)
    }
}

/// Something that is done once.
private struct Once: Service {
    let body: @Sendable () async throws -> Void

    func run() async throws { try await body() }
}
