import CommandKit
import CProcess
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle

/// `dayly serve`.
package enum ServeAction {
    /// The time that requests in flight and queued messages have after `http.drain_delay`: as long as the slowest upload may take.
    /// With nothing in flight the service ends at once.
    static let shutdownTimeout: Duration = .seconds(80)

    /// Runs until SIGTERM or SIGINT. It then waits for `http.drain_delay`, answers the requests in flight, and closes the
    /// database last.
    ///
    /// - Throws: `CommandFailure` when it cannot start; it has not served anything then.
    package static func run(configuration: ServerConfiguration, logger: Logger) async throws {
        process_keep_little_memory()
        FileDescriptors.raiseLimit()
        logger.info("dayly \(Version.description)")
        let metrics = Observability.bootstrapMetrics()
        Observability.recordLimits(configuration)
        let secrets = try Secrets.load(configuration)
        let composition = try await ServerComposition(
            configuration: configuration, secrets: secrets, logger: logger)
        let admin = adminServer(
            configuration.http, metrics: metrics, readiness: composition.readiness, logger: logger)
        let server = Listener(
            application: composition.application, host: configuration.http.host,
            port: configuration.http.port, setting: configuration.http.$port, logger: logger)
        do {
            try await server.requirePort()
            try await admin?.requirePort()
            try await SchemaGate(
                client: composition.database, migrationsPath: configuration.database.migrationsPath
            ).requireServable()
            try await LocaleChecks(client: composition.database).requireUTF8()
            try await DatabaseFitness(
                client: composition.database, configuration: configuration, logger: logger
            ).requireSessions()
            try await requireWorker(configuration, logger: logger)
            try await composition.restoring.secretCheck.require()
            await repairZones(composition, logger: logger)
            if try await composition.restoring.prepare() { composition.gate.open() }
        } catch {
            await composition.close()
            throw error
        }
        await warn(about: composition, logger: logger)
        warnOfUnencryptedConnection(configuration, logger: logger)
        // Services end in the reverse of this order: the public server first, the database last.
        var services = composition.services
        if let admin { services.append(admin) }
        services.append(PublicServer(listener: server, endStreams: composition.endStreams))
        let delay = configuration.http.drainDelay
        services.append(DrainDelay(duration: delay, readiness: composition.readiness, logger: logger))
        var group = ServiceGroupConfiguration(
            services: services.map { .init(service: $0) }, gracefulShutdownSignals: [.sigterm, .sigint],
            logger: quiet(logger))
        group.maximumGracefulShutdownDuration = shutdownTimeout + delay
        group.maximumCancellationDuration = .seconds(5)
        try await ServiceGroup(configuration: group).run()
        logger.info("ended")
    }

    /// Where it fails, the zones are mended when PostgreSQL refuses the first of them.
    private static func repairZones(_ composition: ServerComposition, logger: Logger) async {
        do {
            try await composition.zoneRepair.run()
        } catch {
            logger.warning(
                "the time zones of users could not be compared with PostgreSQL's: \(FailureText.of(error))")
        }
    }

    /// Reports faults that do not prevent the start but prevent uploads: now, not with the first upload.
    private static func warn(about composition: ServerComposition, logger: Logger) async {
        let fitness = DatabaseFitness(
            client: composition.database, configuration: composition.configuration, logger: logger)
        let replication = ReplicationChecks(configuration: composition.configuration)
        let findings = [
            try? await fitness.durability(),
            try? await LocaleChecks(client: composition.database).collations(),
            try? await replication.findings(composition.database),
        ]
        for finding in findings.compactMap(\.self).joined() where finding.verdict != .ok {
            logger.warning("\(finding.check): \(finding.message). \(finding.remedy ?? "")")
        }
        do {
            try await withTimeout(.seconds(5)) {
                try await composition.objectStore.check()
                try await RetentionWarning.log(
                    composition.objectStore, composition.configuration, logger: logger)
            }
        } catch {
            logger.error(
                "the object store cannot be used; run `dayly doctor`",
                metadata: ["error": "\(String(reflecting: error))"])
        }
    }

    /// Refuses to start without a photo worker: in a rolling update this process would replace one that takes photos.
    private static func requireWorker(_ configuration: ServerConfiguration, logger: Logger) async throws {
        let state = await WorkerChecks(configuration: configuration, logger: logger).state()
        if state == .sandboxRefused { throw CommandFailure.sandbox }
        let finding = WorkerChecks.finding(state, path: configuration.decoder.workerPath)
        if finding.verdict == .problem { throw CommandFailure.worker(finding) }
    }

    private static func warnOfUnencryptedConnection(_ configuration: ServerConfiguration, logger: Logger) {
        let variables = ProcessInfo.processInfo.environment
        if let warning = DatabaseLine.warning(configuration, variables: variables) {
            logger.warning("\(warning)")
        }
    }

    private static func adminServer(
        _ http: HTTPSettings, metrics: @escaping @Sendable () -> String, readiness: Readiness,
        logger: Logger
    ) -> Listener<AdminServer.Server>? {
        guard http.adminPort != 0 else { return nil }
        return Listener(
            application: AdminServer.application(
                port: http.adminPort, metrics: metrics, readiness: readiness, logger: quiet(logger)),
            host: AdminServer.host, port: http.adminPort, setting: http.$adminPort,
            isOptional: !http.$adminPort.isGiven, logger: logger)
    }

    /// The frameworks' own messages appear at level debug only.
    static func quiet(_ logger: Logger) -> Logger {
        var logger = logger
        if logger.logLevel > .debug { logger.logLevel = max(logger.logLevel, .warning) }
        return logger
    }
}
