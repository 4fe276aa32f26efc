import Auth
import FeatureKit
import Groups
import HTTPKit
import Jobs
import Postgres
import Push
import Restoration
import ServiceLifecycle

/// Push messages to people, and the devices that receive them.
package struct NotificationsFeature: Feature {
    /// Delivers the notifications. Tests call its `runOnce`.
    package let worker: OutboxWorker
    private let platform: Platform
    private let outbox: OutboxStore
    private let service: NotificationService
    private let webPushKey: String?

    /// - Parameters:
    ///   - gateways: the gateways of the platforms whose devices can be reached.
    ///   - invitations: finds invitations, and sends an SMS if a push message cannot be delivered.
    ///   - sources: for each kind of notification about groups, whether its reason still holds.
    ///   - personalSources: the same for each kind of personal notification. Other kinds are not sent.
    ///   - webPushKey: the public key for browsers' subscriptions; nil without messages to browsers.
    package init(
        gateways: [PushPlatform: any PushGateway], platform: Platform, invitations: InvitationService,
        sources: [NotificationKind: NotificationSource],
        personalSources: [NotificationKind: PersonalNotificationSource] = [:], webPushKey: String? = nil
    ) {
        self.platform = platform
        self.webPushKey = webPushKey
        outbox = OutboxStore(postgres: platform.jobDatabase)
        service = NotificationService(
            outbox: outbox, postgres: platform.jobDatabase, gateways: gateways, sources: sources,
            personalSources: personalSources, invites: invitations, logger: platform.logger)
        worker = OutboxWorker(
            outbox: outbox, handlers: service.handlers, lanes: service.lanes, logger: platform.logger)
    }

    package var routes: [Route] {
        DeviceRoutes(devices: DeviceStore(postgres: platform.database), webPushKey: webPushKey).routes
    }

    package var jobs: [any Service] {
        let (postgres, clocks) = (platform.jobDatabase, platform.clocks)
        let sweep = OutboxSweep(outbox: outbox, topics: Array(service.handlers.keys))
        return [
            PeriodicJob(
                name: "outbox_sweep", interval: .seconds(60), leases: platform.leases, logger: platform.logger
            ) {
                try await clocks.whileAgreed(postgres) { try await sweep.runOnce() }
            },
            PeriodicJob(name: "outbox_backlog", interval: .seconds(60), logger: platform.logger) {
                try await sweep.reportBacklog()
            },
            worker,
        ]
    }

    package static let webNotifications: [NotificationKind: WebNotification] = [
        .invitation: WebNotification(
            page: "/invites",
            ["en": "You’ve been invited to a group.", "de": "Du bist in eine Gruppe eingeladen."]),
        .signedOut: WebNotification(
            page: "/",
            [
                "en": "You’ve been signed out in this browser.",
                "de": "Du bist in diesem Browser abgemeldet.",
            ]),
    ]

    package var onEviction: [SessionHook] { [service.bidFarewell] }

    package var exports: [UserDataExport] { [DeviceStore.export] }

    /// Gives up messages that may have been delivered already.
    package var restorations: [RestoreWalk] {
        let outbox = OutboxStore(postgres: platform.database)
        return [
            RestoreWalk("messages", .first, count: \.messages) { scope, after, limit in
                try await outbox.giveUpUncertain(after: after, limit: limit, dueBy: scope.until)
            }
        ]
    }
}
