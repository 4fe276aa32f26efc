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
            database: Connections.database(configuration, maxConnections: 2, logger: logger),
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

    /// - Parameter progress: called after every batch.
    package func sweep(progress: (SweepReport) -> Void) async throws -> SweepReport {
        try await sweeper.runOnce(progress: progress)
    }

    package func sweepDryRun() async throws -> SweepReport {
        try await sweeper.dryRun()
    }

    /// Sweeps again and again until SIGTERM or SIGINT; a sweep under way is finished.
    package func watch(report: @escaping @Sendable (SweepReport) -> Void) async throws {
        let sweeper = sweeper
        let job = PeriodicJob(
            name: "photo_sweep", interval: configuration.photos.sweepInterval, logger: logger
        ) {
            report(try await sweeper.runOnce())
        }
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        try await ServiceGroup(
            configuration: .init(
                services: [.init(service: job)], gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet)
        ).run()
    }

    package func audit(delete: Bool) async throws -> AuditReport {
        try await PhotoAudit(postgres: database, objects: store, logger: logger).run(delete: delete)
    }
}
