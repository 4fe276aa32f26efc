import DailyPhotos
import Jobs
import Logging
import ObjectStorage
import Postgres
import ServiceLifecycle

/// What `dayly sweep` and `dayly audit` work with: database and bucket, without a server.
package struct Upkeep: Sendable {
    private let configuration: ServerConfiguration
    private let database: PostgresClient
    private let store: any ObjectStore
    private let logger: Logger

    /// Opens database and bucket for `body` and closes them.
    ///
    /// - Throws: `ServeFailure` on a database that this version must not work on.
    package static func run<Value: Sendable>(
        _ configuration: ServerConfiguration, logger: Logger, _ body: (Upkeep) async throws -> Value
    ) async throws -> Value {
        let upkeep = Upkeep(
            configuration: configuration,
            database: Connections.database(configuration, maxConnections: 4, logger: logger),
            store: try Gateways.objectStore(
                configuration, secrets: try Secrets.load(configuration), logger: logger),
            logger: logger)
        do {
            try await SchemaGate(
                client: upkeep.database, migrationsPath: configuration.database.migrationsPath
            ).requireServable()
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
        var group = ServiceGroupConfiguration(
            services: [.init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet)
        // A store that does not answer is not waited for: what is claimed is another's when the lease ends.
        group.maximumGracefulShutdownDuration = .seconds(20)
        group.maximumCancellationDuration = .seconds(5)
        try await ServiceGroup(configuration: group).run()
    }

    package func audit(delete: Bool) async throws -> AuditReport {
        try await PhotoAudit(postgres: database, objects: store, logger: logger).run(delete: delete)
    }
}

/// Something that is done once.
private struct Once: Service {
    let body: @Sendable () async throws -> Void

    func run() async throws { try await body() }
}
