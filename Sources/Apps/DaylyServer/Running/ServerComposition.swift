import Auth
import CommandKit
import DailyPhotos
import FeatureKit
import Foundation
import Groups
import HTTPGuard
import HTTPKit
import Hummingbird
import Jobs
import Logging
import Messaging
import ObjectStorage
import PhotoWorkers
import Postgres
import Push
import RateLimiting
import Restoration
import ServiceLifecycle

/// Stand-ins of tests for the outside world.
package struct ServerOverrides: Sendable {
    package var smsGateway: (any SMSGateway)?
    package var objectStore: (any ObjectStore)?
    package var pushGateways: [PushPlatform: any PushGateway]?
    /// The clock of the filesystem store's URLs and of upload tickets, PostgreSQL's unless given; and the machine's.
    package var now: (@Sendable () -> Date)?
    /// How long a jump of PostgreSQL's clock may go unnoticed there.
    package var databaseClockAge: Duration = .seconds(5)
    /// The object store's clock.
    package var storeDate: (@Sendable () async throws -> Date?)?
    /// How many writes one user gets back in a second.
    package var writesPerSecond: Double?

    package init() {}
}

/// The composition root: everything that `serve` runs, built once and wired together.
package struct ServerComposition: Sendable {
    package let configuration: ServerConfiguration
    /// The pool of requests.
    package let database: PostgresClient
    /// The pool of background work; the same as `database` where there is but one connection.
    private let jobDatabase: PostgresClient
    package let objectStore: any ObjectStore
    /// The public server.
    package let application: Application<AppResponder>
    /// How many requests it works on at a time.
    package let admission: Admission
    package let connections: ConnectionLimit
    let readiness: Readiness
    /// The features' routes below `/v1`, with their traits.
    let calls: [Route]
    /// Method and template of every route.
    package let routes: [(method: HTTPRequest.Method, template: String)]
    /// The periodic jobs that run beside the service.
    package let jobs: [PeriodicJob]
    /// From the bottom to the top: what is first starts first and ends last.
    let services: [any Service]
    /// Ends the streams of events, which would keep the public server from ending.
    let endStreams: @Sendable () async -> Void
    let restoring: Restoring
    /// Closed until `restoring` has judged the database.
    package let gate: StartGate
    let zoneRepair: ZoneRepair
    private let smsTransport: SMSTransport
    private let pushes: PushGateways

    /// - Throws: `CommandFailure`, `SecretsError`, and what a part refuses to be built with.
    package init(
        configuration: ServerConfiguration, secrets: Secrets,
        overrides: ServerOverrides = ServerOverrides(),
        logger: Logger
    ) async throws {
        let (database, jobDatabase) = Connections.pools(configuration, logger: logger)
        let store =
            try overrides.objectStore
            ?? Gateways.objectStore(configuration, secrets: secrets, logger: logger)
        let transport = SMSTransport(maxConnections: configuration.sms.queue.maxConcurrent)
        do {
            let pushes =
                try overrides.pushGateways.map(PushGateways.init)
                ?? PushGateways(
                    configuration.push, publicURL: configuration.http.publicURL, logger: logger)
            do {
                self = try await ServerComposition(
                    configuration, secrets, overrides, database, jobDatabase, store, transport, pushes, logger
                )
            } catch {
                try? await pushes.shutdown()
                throw error
            }
        } catch {
            // Close everything that is open: a client that is dropped while open traps, and would hide the error.
            await database.close()
            await jobDatabase.close()
            await store.shutdown()
            try? await transport.shutdown()
            throw error
        }
    }

    private init(
        _ configuration: ServerConfiguration, _ secrets: Secrets, _ overrides: ServerOverrides,
        _ database: PostgresClient, _ jobDatabase: PostgresClient, _ store: any ObjectStore,
        _ transport: SMSTransport, _ pushes: PushGateways, _ logger: Logger
    ) async throws {
        self.configuration = configuration
        let now = Self.clock(database, overrides)
        let gateway =
            overrides.smsGateway ?? Gateways.sms(configuration, transport: transport, logger: logger)
        let restoreGuard = RestoreGuard(
            postgres: database, objects: store, secret: secrets.secret,
            settings: configuration.restore, logger: logger)
        connections = Bounds.connections(configuration.http, logger: logger)
        let platform = Platform(
            database: database, jobDatabase: jobDatabase, objects: store, secrets: secrets.secret,
            rates: RateLimits(
                postgres: database, enforced: configuration.rates.isEnforced, secret: secrets.secret,
                messageLimits: configuration.rates.messages),
            sms: Self.queue(configuration, gateway, database, logger),
            clocks: ClockWatch(
                storeDate: overrides.storeDate ?? { try await store.currentDate() }, logger: logger),
            now: now, logger: logger)
        let features = try await Features(
            configuration, callers: CallerLimits(settings: .init(configuration, overrides)),
            maxConnections: connections.maxConnections, secrets: secrets, platform: platform,
            restoreGuard: restoreGuard, pushes: pushes, machineClock: overrides.now ?? { Date() })

        zoneRepair = features.auth.zoneRepair
        await database.configuration.zoneRepair.set(zoneRepair.run)

        let router = AppRouter(
            trustedProxies: try Self.trustedProxies(configuration), spelledPaths: ["i"],
            mapError: ErrorMapping.problem)
        restoring = Restoring(
            restoreGuard: restoreGuard, secretCheck: SecretCheck(client: database, secret: secrets.secret),
            restorations: features.restorations, logger: logger)
        calls = features.routes
        gate = StartGate()
        let gated = StartGateMiddleware(gate: gate)
        router.group("v1").add(middleware: gated).add(
            calls, authenticator: features.authenticator,
            receipts: ErasureReceipts(restoreGuard: restoreGuard))
        readiness = try Self.readiness(configuration, database, store, features.photos, gate, logger)
        let web = try await WebServing.source(
            configuration, store: store, pushKey: pushes.webKey, logger: logger)
        Self.addPages(
            to: router, configuration: configuration, web: web, readiness: readiness)
        if let files = store as? FilesystemObjectStore {
            FileRoutes(store: files, now: now).addRoutes(to: router.group().add(middleware: gated))
        }
        if let web { WebRoutes(source: web).addRoutes(to: router) }
        self.database = database
        self.jobDatabase = jobDatabase
        objectStore = store
        smsTransport = transport
        self.pushes = pushes
        routes = router.routes
        let services = features.jobs
        jobs = services.compactMap { $0 as? PeriodicJob }
        admission = Bounds.admission(
            configuration, calls: calls, uploads: features.photos, logger: logger)
        application = Application(
            responder: router.buildResponder(),
            server: Bounds.serverOptions(configuration).serverBuilder(
                admission: admission, connections: connections),
            configuration: .init(
                address: .hostname(configuration.http.host, port: configuration.http.port),
                backlog: Bounds.backlog),
            onServerRunning: { _ in ReadyNotice.send() },
            logger: logger)
        endStreams = { await features.events.endStreams() }
        self.services =
            [
                database, Closing { await jobDatabase.close() },
                CommitNotifier(database.configuration, channels: [GroupEventSignal.channel], logger: logger),
                Closing { await store.shutdown() }, Closing { try await transport.shutdown() },
                Closing { try await pushes.shutdown() }, platform.sms,
                SchemaWatch(
                    gate: try SchemaGate(
                        client: database, migrationsPath: configuration.database.migrationsPath),
                    logger: logger),
                GatedServices(
                    gate: gate, restoring: restoring,
                    services: [RestoreWatch(restoreGuard, logger: logger)] + services,
                    logger: ServeAction.quiet(logger)),
            ]
    }

    /// Lets go of what it holds without having run.
    package func close() async {
        await database.close()
        await jobDatabase.close()
        await objectStore.shutdown()
        try? await smsTransport.shutdown()
        try? await pushes.shutdown()
    }

    private static func clock(
        _ database: PostgresClient, _ overrides: ServerOverrides
    ) -> @Sendable () async throws -> Date {
        if let now = overrides.now { return now }
        let clock = DatabaseClock(database, maxAge: overrides.databaseClockAge)
        return { try await clock.now() }
    }

    private static func queue(
        _ configuration: ServerConfiguration, _ gateway: any SMSGateway, _ database: PostgresClient,
        _ logger: Logger
    ) -> SMSQueue {
        let ceiling = MessageCeiling(
            limits: configuration.rates.messages, enforced: configuration.rates.isEnforced)
        return SMSQueue(
            gateway: gateway, configuration: configuration.sms.queue,
            admitsRepetition: {
                // It counts as a stranger's message, so that repetitions never use up the part that is kept for
                // known people. Where the ceiling cannot be asked, it has no room.
                do {
                    try await database.transaction { tx in
                        try ceiling.takeOne(tx, for: .strangerCode(callingCode: 0))
                    }
                    return true
                } catch {
                    return false
                }
            },
            logger: logger)
    }

    private static func trustedProxies(_ configuration: ServerConfiguration) throws -> TrustedProxies {
        do {
            return try TrustedProxies(configuration.http.trustedProxies)
        } catch {
            throw CommandFailure(
                reason: "http.trusted_proxies holds \(error.entry), which is not an address.",
                remedy: "Addresses look like 10.0.0.7, 10.0.0.0/8 or ::1.")
        }
    }

    private static func addPages(
        to router: AppRouter, configuration: ServerConfiguration, web: WebClientSource?, readiness: Readiness
    ) {
        HealthRoutes(readiness: readiness).addRoutes(to: router)
        OpenAPIRoutes().addRoutes(to: router)
        let invitation = InvitationPage(
            links: configuration.links, publicURL: configuration.http.publicURL)
        InvitationPageRoutes(page: invitation, client: web).addRoutes(to: router)
        AppAssociationRoutes(links: configuration.links).addRoutes(to: router)
        ProblemPageRoutes().addRoutes(to: router)
    }

    private static func readiness(
        _ configuration: ServerConfiguration, _ database: PostgresClient, _ store: any ObjectStore,
        _ photos: DailyPhotosFeature, _ start: StartGate, _ logger: Logger
    ) throws -> Readiness {
        let decoder = DecoderHealth(path: configuration.decoder.workerPath) { () throws(PhotoWorkerError) in
            try await photos.checkDecoder()
        }
        let gate = try SchemaGate(client: database, migrationsPath: configuration.database.migrationsPath)
        return Readiness(
            checks: [
                ReadinessCheck(name: "database") { try await DatabaseFitness.requireWrites(database) },
                ReadinessCheck(name: "migrations") {
                    if let failure = try await gate.status().failure { throw failure }
                },
                ReadinessCheck(name: "bucket") { try await store.check() },
                ReadinessCheck(name: "photo-worker") { try await decoder.requireWorking() },
                ReadinessCheck(name: "restore") { try start.requireOpen() },
            ],
            logger: logger)
    }
}
