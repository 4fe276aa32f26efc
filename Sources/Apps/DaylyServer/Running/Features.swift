import Analytics
import ArgumentParser
import Auth
import CommandKit
import Companion
import DaylyAPI
import DailyPhotos
import Events
import FeatureKit
import Focus
import Foundation
import Groups
import HTTPKit
import Notifications
import Restoration
import ServiceLifecycle
import StoreReceipts

/// The features, each built once. A new feature is one property, one line that builds it, and a place in `base`; a new product is
/// an element of `products`, with a line in each list of products' parts. A product's line names only it, or stands between
/// `begin` and `end`, so that scripts/lib/products.py can leave the product out.
package struct Features: Sendable {
    let groups: GroupsFeature
    let notifications: NotificationsFeature
    let photos: DailyPhotosFeature
    let events: EventsFeature
    let analytics: AnalyticsFeature
    /// Built last, because it runs the hooks of all others when an account is deleted, renamed or exported.
    let auth: AuthFeature
    let authenticator: Authenticator

    private let offersPhotos: Bool
    /// The products beside photos, and whether they are offered.
    private let products: [(feature: any Feature, isOffered: Bool)]

    private var base: [any Feature] { [auth, groups, notifications, photos, events, analytics] }

    /// All features, in the order of their dependencies. The promises of a product about data hold also where `features` leaves it
    /// out: an instance may have been started with another list than its neighbour, and the product may be offered again.
    private var all: [any Feature] { base + products.map(\.feature) }

    /// The calls of the products that are offered, and the departures of the others.
    var routes: [Route] {
        base.filter { offersPhotos || !($0 is DailyPhotosFeature) }.flatMap(\.routes)
            + products.flatMap { $0.isOffered ? $0.feature.routes : Self.departures($0.feature) }
    }

    /// The other methods of these paths are 404, not 405.
    private static func departures(_ feature: any Feature) -> [Route] {
        let paths = feature.departures.map(\.path)
        let methods = feature.departures.map(\.method)
        let others = feature.routes.filter { paths.contains($0.path) && !methods.contains($0.method) }
        return feature.departures + others.map(\.absent)
    }

    /// The jobs of the products that are offered, and the purges of all. Photos that were sent before are forgotten in time also
    /// where `features` leaves photos out.
    var jobs: [any Service] {
        base.flatMap(\.jobs) + products.filter(\.isOffered).flatMap(\.feature.jobs) + all.flatMap(\.purges)
    }

    /// The walks of a restore.
    var restorations: [RestoreWalk] { all.flatMap(\.restorations) }

    /// - Parameter maxConnections: the bound of HTTP connections, from which that of streams follows.
    init(
        _ configuration: ServerConfiguration, callers: CallerLimits, maxConnections: Int, secrets: Secrets,
        platform: Platform, restoreGuard: RestoreGuard, pushes: PushGateways,
        machineClock: @escaping @Sendable () -> Date
    ) async throws {
        let accounts = Accounts(
            postgres: platform.database,
            tokens: AccessTokens(
                keys: try await Self.signingKeys(secrets), issuer: configuration.http.publicURL,
                lifetime: configuration.auth.accessTokenLifetime),
            countries: configuration.auth.countries, reviewers: configuration.auth.reviewNumbers,
            callers: callers)
        authenticator = accounts.authenticator
        let outbox = NotificationOutbox(platforms: Set(pushes.gateways.keys))
        groups = GroupsFeature(
            configuration.groups,
            links: InvitationLinks(
                publicURL: configuration.http.publicURL, download: configuration.links.download),
            platform: platform, accounts: accounts, pushes: outbox, hooks: Self.groupHooks(platform))
        notifications = NotificationsFeature(
            gateways: pushes.gateways, platform: platform, invitations: groups.invitations,
            sources: [.photo: DailyPhotosFeature.notificationSource(platform)],
            personalSources: Self.personalSources(configuration, platform),
            webPushKey: pushes.webKey)
        let photos = DailyPhotosFeature(
            configuration.photos, platform: platform,
            images: Connections.imageProcessor(configuration, logger: platform.logger),
            authenticator: authenticator, cursors: groups.cursors, notifications: outbox,
            isBucketOurs: { try await restoreGuard.ownsBucket() },
            isBucketTrusted: { try await restoreGuard.trustsBucket() })
        self.photos = photos
        events = EventsFeature(
            EventSettings(configuration, maxConnections: maxConnections), platform: platform,
            authenticator: authenticator, log: groups.log, cursors: groups.cursors,
            photos: { try await photos.messages(of: $0) })
        analytics = AnalyticsFeature(platform: platform)
        let receipts = try Self.receipts(configuration, platform, accounts)
        let (offered, settings) = (configuration.features, configuration.products)
        var products: [(feature: any Feature, isOffered: Bool)] = []
        var storeListeners: [StoreNotification.Listener] = []
        // begin: Focus
        let focus = FocusFeature(
            settings.focus, platform: platform, accounts: accounts, receipts: receipts,
            notifications: outbox)
        products.append((focus, offered.contains(.focus)))
        storeListeners.append(focus.take)
        // end: Focus
        // begin: Companion
        let companion = CompanionFeature(
            settings.companion, platform: platform, receipts: receipts, notifications: outbox,
            storeListeners: storeListeners)
        products.append((companion, offered.contains(.companion)))
        // end: Companion
        self.products = products
        offersPhotos = offered.contains(.photos)
        auth = AuthFeature(
            configuration.auth, platform: platform, accounts: accounts, machineClock: machineClock,
            features: [groups, notifications, photos, events, analytics] + products.map(\.feature))
    }

    /// The texts of all features: a notification may have been posted before `features` left its product out.
    static let webNotifications = [
        DailyPhotosFeature.webNotifications, NotificationsFeature.webNotifications,
        FocusFeature.webNotifications,
        CompanionFeature.webNotifications,
    ].reduce(into: [:]) { all, some in all.merge(some) { $1 } }

    /// The problems of all calls: also a product that is left out has pages about its problems.
    static let problems = [
        Problem.problems, AuthFeature.problems, GroupsFeature.problems, DailyPhotosFeature.problems,
        FocusFeature.problems,
        CompanionFeature.problems,
    ].reduce(into: [:]) { all, some in all.merge(some) { $1 } }

    /// The parts that products take in changes of groups.
    private static func groupHooks(_ platform: Platform) -> GroupHooks {
        GroupHooks(joining: [
            FocusFeature.groupHooks(platform)
        ])
    }

    /// The commands of the products, for the options by which the program finds its configuration.
    package static func commands<Options: CommandOptions>(
        _: Options.Type
    ) -> [any ParsableCommand.Type] {
        [
            FocusCommand<Options>.self,
            CompanionCommand<Options>.self,
        ]
    }

    /// The products that say right before each of their push messages whether its reason still holds.
    private static func personalSources(
        _ configuration: ServerConfiguration, _ platform: Platform
    ) -> [NotificationKind: PersonalNotificationSource] {
        var sources: [NotificationKind: PersonalNotificationSource] = [:]
        let (offered, settings) = (configuration.features, configuration.products)
        // begin: Focus
        if offered.contains(.focus) {
            sources.merge(FocusFeature.notificationSources(settings.focus, platform)) { $1 }
        }
        // end: Focus
        // begin: Companion
        if offered.contains(.companion) {
            sources.merge(CompanionFeature.notificationSources(settings.companion, platform)) { $1 }
        }
        // end: Companion
        return sources
    }

    private static func receipts(
        _ configuration: ServerConfiguration, _ platform: Platform, _ accounts: Accounts
    ) throws -> ReceiptVerifier {
        try ReceiptVerifier(
            roots: configuration.appStore.rootsPath.map { try String(contentsOfFile: $0, encoding: .utf8) },
            bundleID: configuration.appStore.bundleID,
            allowsSandbox: configuration.environment == .development,
            tokens: AppAccountToken(secret: platform.secrets),
            isTester: { try await accounts.isReviewer(UserID($0)) })
    }

    private static func signingKeys(_ secrets: Secrets) async throws -> SigningKeys {
        do {
            return try await SigningKeys(pems: secrets.signingKeys)
        } catch SigningKeysError.unreadable(let index) {
            throw CommandFailure(
                reason:
                    "File \(index + 1) of auth.signing_keys (DAYLY_AUTH_SIGNING_KEYS) is not a P-256 private key.",
                remedy:
                    "Make one: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out signing.pem"
            )
        }
    }
}

extension CallerLimits.Settings {
    /// One user's requests never take more than a quarter of all places.
    init(_ configuration: ServerConfiguration, _ overrides: ServerOverrides = ServerOverrides()) {
        self.init()
        if let rate = overrides.writesPerSecond { writesPerSecond = rate }
        maxWaiting = max(maxRunning, configuration.http.maxRequests / 4 - maxRunning)
        maxWaitingUploads = max(maxRunning, configuration.http.maxUploads / 4 - maxRunning)
        countsWrites = configuration.rates.isEnforced
    }
}

extension EventSettings {
    /// - Parameter maxConnections: what the file descriptors leave of `http.max_connections`. Streams never take the last
    ///   fifth of them.
    init(_ configuration: ServerConfiguration, maxConnections: Int) {
        self = configuration.events
        maxStreams = min(maxStreams, maxConnections / 5 * 4)
    }
}
