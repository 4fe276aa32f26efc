import FeatureKit
import Analytics
import Auth
import DailyPhotos
import Events
import Foundation
import Groups
import HTTPKit
import Hummingbird
import PhotoWorkers
import Jobs
import Logging
import Messaging
import Notifications
import ObjectStorage
import Postgres
import Push
import RateLimiting
import Restoration
import ServiceLifecycle

/// The features, each built once and given what it needs. A new feature is added here.
struct Features: Sendable {
    let sms: SMSQueue
    let jobs: [any Service]
    private let accounts: Accounts
    private let authFeature: AuthFeature
    private let groupsFeature: GroupsFeature
    private let analytics: AnalyticsFeature
    var auth: AuthService { authFeature.service }
    var groups: GroupService { groupsFeature.service }
    let photos: PhotoRoutes
    /// Decodes pictures.
    let images: ImageProcessor
    private let events: EventService
    private let devices: DeviceStore
    /// Does what the outbox holds; among `jobs`, and called by tests.
    let outboxWorker: OutboxWorker

    init(
        configuration: ServerConfiguration, maxConnections: Int, secrets: Secrets, database: PostgresClient,
        jobDatabase: PostgresClient, store: any ObjectStore,
        storeDate: @escaping @Sendable () async throws -> Date?,
        restoreGuard: RestoreGuard, sms: SMSQueue,
        pushes: [PushPlatform: any PushGateway],
        now: @escaping @Sendable () async throws -> Date, machineClock: @escaping @Sendable () -> Date,
        logger: Logger
    ) async throws {
        self.sms = sms
        let limits = RateLimits(
            postgres: database, enforced: configuration.limits.enforceRates, secret: secrets.secret,
            messageLimits: configuration.sms.limits)
        let tokens = AccessTokens(
            keys: try await Self.signingKeys(secrets), issuer: configuration.http.publicURL,
            lifetime: configuration.auth.accessTokenLifetime)
        let clocks = ClockWatch(storeDate: storeDate, logger: logger)
        let platform = Platform(
            database: database, jobDatabase: jobDatabase, objects: store, secrets: secrets.secret,
            rates: limits, sms: sms, clocks: clocks, now: now, logger: logger)
        accounts = Accounts(
            postgres: database, tokens: tokens, countries: configuration.sms.countries,
            callers: CallerLimits(settings: .init(configuration)))

        let notificationOutbox = NotificationOutbox(platforms: Set(pushes.keys))
        let groups = GroupsFeature(
            GroupSettings(configuration),
            links: InvitationLinks(
                publicURL: configuration.http.publicURL, download: configuration.links.download),
            platform: platform, accounts: accounts, pushes: notificationOutbox)
        groupsFeature = groups
        let groupStore = GroupStore(postgres: database)
        let cursors = groups.cursors
        images = Connections.imageProcessor(configuration, logger: logger)
        let photoService = PhotoService(
            postgres: database, groups: groupStore, objects: store,
            images: images,
            cursors: cursors, tickets: UploadTickets(secret: secrets.secret),
            fingerprints: UploadFingerprints(secret: secrets.secret), rates: limits,
            limits: PhotoSettings(configuration), notifications: notificationOutbox, clocks: clocks,
            logger: logger)

        analytics = AnalyticsFeature(platform: platform)
        authFeature = AuthFeature(
            AuthSettings(configuration), platform: platform, accounts: accounts, machineClock: machineClock,
            features: [
                groups, analytics, OtherExports(exports: [photoService.export, DeviceStore.export]),
            ])
        devices = DeviceStore(postgres: database)
        // Background work has a pool of its own; see `Connections.pools`.
        let jobGroups = GroupStore(postgres: jobDatabase)
        let outbox = Outbox(postgres: jobDatabase)
        let notifications = NotificationService(
            outbox: outbox, postgres: jobDatabase, gateways: pushes,
            sources: [.photo: PhotoStore(postgres: jobDatabase, groups: jobGroups).news],
            invites: groups.invitations, logger: logger)
        outboxWorker = OutboxWorker(
            outbox: outbox, handlers: notifications.handlers, lanes: notifications.lanes, logger: logger)
        let outboxSweep = OutboxSweep(outbox: outbox, topics: Array(notifications.handlers.keys))

        photos = PhotoRoutes(
            photos: photoService, authenticator: accounts.authenticator,
            uploadMemory: BodyBudget(
                maxBytes: configuration.limits.uploadMemory, metric: "dayly_upload_memory"),
            now: now)

        let sweeper = PhotoSweeper(postgres: jobDatabase, objects: store, clocks: clocks, logger: logger)
        let streams = EventSettings(configuration, maxConnections: maxConnections)
        events = EventService(
            log: groups.log, cursors: cursors,
            photos: { try await photoService.messages(of: $0) },
            hub: EventHub(settings: streams), settings: streams,
            logger: logger)

        let announcements = PhotoExpiryEvents(postgres: jobDatabase, groups: jobGroups)
        let leases = platform.leases
        let ownJobs: [any Service] = [
            PeriodicJob(
                name: "photo_sweep", interval: configuration.photos.sweepInterval, logger: logger
            ) {
                try await sweeper.runOnce().requireStore()
            },
            PeriodicJob(name: "clocks", interval: .seconds(60), logger: logger) {
                try await clocks.whileAgreed(jobDatabase) {}
            },
            // Of its own, so that a store that hangs delays no news.
            PeriodicJob(
                name: "photo_announcements", interval: configuration.photos.sweepInterval, logger: logger
            ) {
                try await clocks.whileAgreed(jobDatabase) { _ = try await announcements.runOnce() }
            },
            PeriodicJob(name: "outbox_sweep", interval: .seconds(60), leases: leases, logger: logger) {
                try await clocks.whileAgreed(jobDatabase) { try await outboxSweep.runOnce() }
            },
            outboxWorker,
            EventPump(service: events, authenticator: accounts.authenticator),
        ]
        jobs =
            ownJobs + authFeature.jobs + groups.jobs + analytics.jobs
            + Self.audit(configuration, jobDatabase, store, restoreGuard, logger)
    }

    /// Ends the streams of events, which would not end by themselves.
    func endStreams() {
        events.hub.close()
    }

    func addRoutes(to group: RouterGroup<AppContext>) {
        group.add(
            authFeature.routes + groupsFeature.routes + analytics.routes,
            authenticator: accounts.authenticator)
        let signedIn = group.group().add(middleware: accounts.authenticator)
        DeviceRoutes(devices: devices).addRoutes(to: signedIn)
        photos.addRoutes(to: signedIn)
        EventRoutes(events: events).addRoutes(to: signedIn)
        // A ticket is as good as a token there, so it asks for itself.
        photos.addUploadRoute(to: group)
    }

    private static func signingKeys(_ secrets: Secrets) async throws -> SigningKeys {
        do {
            return try await SigningKeys(pems: secrets.signingKeys)
        } catch SigningKeysError.unreadable(let index) {
            throw ServeFailure(
                reason:
                    "File \(index + 1) of auth.signing_keys (DAYLY_AUTH_SIGNING_KEYS) is no P-256 private key.",
                remedy:
                    "Make one: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out signing.pem"
            )
        }
    }
}

extension AuthSettings {
    init(_ configuration: ServerConfiguration) {
        self.init()
        host = URL(string: configuration.http.publicURL)?.host ?? "localhost"
        androidHash = configuration.sms.androidHash
        countries = configuration.sms.countries
        limits = configuration.auth.codeLimits
        reviewNumbers = configuration.auth.reviewNumbers
        codeLifetime = configuration.auth.otpLifetime
        codeAttempts = configuration.auth.otpAttempts
        resendAfter = configuration.auth.otpResendAfter
        refreshTokenLifetime = configuration.auth.refreshTokenLifetime
        dormantAfter = configuration.auth.dormantAfter
    }
}

extension GroupSettings {
    init(_ configuration: ServerConfiguration) {
        self.init()
        groupsPerUser = configuration.limits.groupsPerUser
        membersPerGroup = configuration.limits.membersPerGroup
        removalsPerDay = configuration.limits.removalsPerDay
        checksPerUserAndDay = configuration.limits.contactChecksPerDay
        inviteLifetime = configuration.invites.lifetime
        openInvitesPerGroup = configuration.invites.openPerGroup
        messagesPerSenderAndDay = configuration.invites.smsPerSenderAndDay
        messagesPerRecipient = configuration.invites.smsPerRecipientAndMonth
        eventRetention = configuration.events.retention
        messageResendPause = configuration.invites.resendAfter
        wrongCodesPerUser = configuration.invites.wrongCodesPerUserAndHour
        wrongCodesPerAddress = configuration.invites.wrongCodesPerAddressAndHour
    }
}

extension CallerLimits.Settings {
    /// One user's requests never take more than a quarter of all places.
    init(_ configuration: ServerConfiguration) {
        self.init()
        maxWaiting = max(maxRunning, configuration.http.maxRequests / 4 - maxRunning)
        maxWaitingUploads = max(maxRunning, configuration.http.maxUploads / 4 - maxRunning)
        countsWrites = configuration.limits.enforceRates
    }
}

extension EventSettings {
    /// - Parameter maxConnections: what the file descriptors leave of `http.max_connections`. Streams never take the last
    ///   fifth of them.
    init(_ configuration: ServerConfiguration, maxConnections: Int) {
        self.init()
        heartbeat = configuration.events.heartbeat
        maxStreams = min(configuration.events.streams, maxConnections / 5 * 4)
        maxStreamsPerUser = configuration.events.streamsPerUser
    }
}

extension PhotoSettings {
    init(_ configuration: ServerConfiguration) {
        self.init()
        lifetime = configuration.photos.lifetime
        urlLifetime = configuration.photos.urlLifetime
        uploadBytes = configuration.limits.uploadBytes
    }
}

/// The exports of the features that have no front door yet.
private struct OtherExports: Feature {
    let exports: [UserDataExport]
}
