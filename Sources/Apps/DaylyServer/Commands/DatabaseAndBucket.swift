import CommandKit
import FeatureKit
import Groups
import Logging
import ObjectStorage
import Postgres
import Restoration
import ServiceLifecycle

/// The database and the bucket for commands that work on both without a server.
struct DatabaseAndBucket: Sendable {
    let database: PostgresClient
    let store: any ObjectStore
    let restoreGuard: RestoreGuard
    let logger: Logger

    /// Does something lasting by the database's time, whose transactions require an agreed one.
    ///
    /// - Throws: `CommandFailure` while the clocks of database and bucket disagree, and the errors of `work`.
    func onAgreedTime<Value>(_ work: (PostgresClient) async throws -> Value) async throws -> Value {
        let clocks = ClockWatch(store, logger: logger)
        database.configuration.timeAgreement.set(clocks)
        do {
            try await clocks.requireAgreement(database)
            return try await work(database)
        } catch let difference as ClocksDisagree {
            throw CommandFailure(
                reason: "Nothing is done: \(difference).",
                remedy: "Run dayly doctor, which says which one is wrong.")
        }
    }

    /// Runs `service` until it ends, or until SIGTERM or SIGINT.
    func runUntilSignal(_ service: any Service) async throws {
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
        // Do not wait for a store that does not answer: another sweeper takes the claims when their leases expire.
        group.maximumGracefulShutdownDuration = .seconds(20)
        group.maximumCancellationDuration = .seconds(5)
        try await ServiceGroup(configuration: group).run()
    }
}

extension ServerConfiguration {
    /// Opens database and bucket for `body`, and closes them afterwards.
    ///
    /// - Throws: `CommandFailure` on a database that this version must not work on or that went back in time, and the
    ///   errors of `body`.
    func withDatabaseAndBucket<Value: Sendable>(
        logger: Logger, _ body: (DatabaseAndBucket) async throws -> Value
    ) async throws -> Value {
        // No secret is needed: sweep and audit look at keys in the bucket and at rows, never at content.
        let secrets = Secrets.optional(self)
        let store = try Gateways.objectStore(self, secrets: secrets, logger: logger)
        return try await finally({ await store.shutdown() }) {
            try await withDatabase(maxConnections: 4, name: RunningProcessStore.sweeping, logger: logger) {
                database in
                let restoreGuard = RestoreGuard(
                    postgres: database, objects: store, secret: secrets.secret,
                    settings: restore, logger: logger)
                try await restoreGuard.requireCurrent()
                return try await body(
                    DatabaseAndBucket(
                        database: database, store: store, restoreGuard: restoreGuard, logger: logger))
            }
        }
    }
}

/// A service that does one thing once.
struct Once: Service {
    let body: @Sendable () async throws -> Void

    func run() async throws { try await body() }
}
