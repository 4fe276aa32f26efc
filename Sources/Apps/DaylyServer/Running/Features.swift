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
    private let authenticator: Authenticator
    let auth: AuthService
    let groups: GroupService
    private let invites: InvitationService
    private let blocks: BlockService
    private let phoneNumbers: PhoneNumberParser
    let photos: PhotoRoutes
    /// Decodes pictures.
    let images: ImageProcessor
    private let analytics: AnalyticsService
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
        authenticator = Authenticator(
            postgres: database, tokens: tokens, callers: CallerLimits(settings: .init(configuration)))
        phoneNumbers = PhoneNumberParser(countries: configuration.sms.countries)

        let notificationOutbox = NotificationOutbox(platforms: Set(pushes.keys))
        let rules = GroupSettings(configuration)
        let groupStore = GroupStore(postgres: database)
        let numberHashes = NumberHashes(secret: secrets.secret)
        let blockStore = BlockStore(postgres: database, hashes: numberHashes)
        let inviteStore = InvitationStore(postgres: database, blocks: blockStore)
        let invites = InvitationService(
            store: inviteStore, groups: groupStore,
            optOuts: OptOutStore(postgres: database, hashes: numberHashes), rates: limits, messages: sms,
            pushes: notificationOutbox,
            links: InvitationLinks(
                publicURL: configuration.http.publicURL, download: configuration.links.download),
            rules: rules, logger: logger)
        let groups = GroupService(groups: groupStore, invites: invites, rates: limits, rules: rules)
        self.invites = invites
        self.groups = groups
        blocks = BlockService(blocks: blockStore, groups: groupStore, rates: limits, rules: rules)

        let cursors = GroupCursors(secret: secrets.secret)
        let clocks = ClockWatch(storeDate: storeDate, logger: logger)
        images = Connections.imageProcessor(configuration, logger: logger)
        let photoService = PhotoService(
            postgres: database, groups: groupStore, objects: store,
            images: images,
            cursors: cursors, tickets: UploadTickets(secret: secrets.secret),
            fingerprints: UploadFingerprints(secret: secrets.secret), rates: limits,
            limits: PhotoSettings(configuration), notifications: notificationOutbox, clocks: clocks,
            logger: logger)

        // Whoever goes leaves the groups properly before the account's row goes.
        auth = AuthService(
            postgres: database, limits: limits, tokens: tokens, sms: sms,
            secret: secrets.secret, configuration: AuthSettings(configuration),
            onDelete: [{ transaction, user in try groups.erase(user, in: transaction) }],
            onRename: [{ transaction, user in try groupStore.recordRename(in: transaction, of: user) }],
            exports: [
                GroupStore.export, inviteStore.export, BlockStore.export, photoService.export,
                DeviceStore.export,
            ],
            logger: logger)
        let tally = AnalyticsTally()
        analytics = AnalyticsService(rates: limits, tally: tally)
        devices = DeviceStore(postgres: database)
        // Background work has a pool of its own; see `Connections.pools`.
        let jobGroups = GroupStore(postgres: jobDatabase)
        let jobInvites = InvitationStore(
            postgres: jobDatabase, blocks: BlockStore(postgres: jobDatabase, hashes: numberHashes))
        let outbox = Outbox(postgres: jobDatabase)
        let notifications = NotificationService(
            outbox: outbox, postgres: jobDatabase, gateways: pushes,
            sources: [.photo: PhotoStore(postgres: jobDatabase, groups: jobGroups).news],
            invites: invites, logger: logger)
        outboxWorker = OutboxWorker(
            outbox: outbox, handlers: notifications.handlers, lanes: notifications.lanes, logger: logger)
        let outboxSweep = OutboxSweep(outbox: outbox, topics: Array(notifications.handlers.keys))

        photos = PhotoRoutes(
            photos: photoService, authenticator: authenticator,
            uploadMemory: BodyBudget(
                maxBytes: configuration.limits.uploadMemory, metric: "dayly_upload_memory"),
            now: now)

        let sweeper = PhotoSweeper(postgres: jobDatabase, objects: store, clocks: clocks, logger: logger)
        let streams = EventSettings(configuration, maxConnections: maxConnections)
        events = EventService(
            log: GroupLog(postgres: database), cursors: cursors,
            photos: { try await photoService.messages(of: $0) },
            hub: EventHub(settings: streams), settings: streams,
            logger: logger)

        let announcements = PhotoExpiryEvents(postgres: jobDatabase, groups: jobGroups)
        let authSweep = AuthSweep(postgres: jobDatabase, limits: limits)
        let leases = JobLeaseStore(postgres: jobDatabase)
        let groupSweep = GroupSweep(groups: jobGroups, invites: jobInvites, rules: rules)
        let dormantAccounts = DormantAccounts(
            auth: auth, age: configuration.auth.dormantAfter, now: machineClock,
            logger: logger)
        jobs =
            [
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
                PeriodicJob(name: "auth_sweep", interval: .seconds(600), leases: leases, logger: logger) {
                    try await clocks.whileAgreed(jobDatabase) { try await authSweep.runOnce() }
                },
                PeriodicJob(
                    name: "dormant_accounts", interval: .seconds(3_600), leases: leases, logger: logger
                ) {
                    try await clocks.whileAgreed(jobDatabase) { try await dormantAccounts.runOnce() }
                },
                PeriodicJob(name: "group_sweep", interval: .seconds(600), leases: leases, logger: logger) {
                    try await clocks.whileAgreed(jobDatabase) { try await groupSweep.runOnce() }
                },
                PeriodicJob(name: "outbox_sweep", interval: .seconds(60), leases: leases, logger: logger) {
                    try await clocks.whileAgreed(jobDatabase) { try await outboxSweep.runOnce() }
                },
                AnalyticsFlush(postgres: jobDatabase, tally: tally, logger: logger),
                outboxWorker,
                EventPump(service: events, authenticator: authenticator),
            ] + Self.audit(configuration, jobDatabase, store, restoreGuard, logger)
    }

    /// Ends the streams of events, which would not end by themselves.
    func endStreams() {
        events.hub.close()
    }

    func addRoutes(to group: RouterGroup<AppContext>) {
        AuthRoutes(auth: auth, authenticator: authenticator).addRoutes(to: group)
        let signedIn = group.group().add(middleware: authenticator)
        GroupRoutes(service: groups, phoneNumbers: phoneNumbers).addRoutes(to: signedIn)
        InvitationRoutes(service: invites, phoneNumbers: phoneNumbers).addRoutes(to: signedIn)
        BlockRoutes(service: blocks).addRoutes(to: signedIn)
        DeviceRoutes(devices: devices).addRoutes(to: signedIn)
        photos.addRoutes(to: signedIn)
        EventRoutes(events: events).addRoutes(to: signedIn)
        AnalyticsRoutes(analytics: analytics).addRoutes(to: signedIn)
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
