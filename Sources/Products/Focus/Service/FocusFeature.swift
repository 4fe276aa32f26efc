import Auth
import FeatureKit
import FocusRules
import Groups
import HTTPKit
import Jobs
import Notifications
import Postgres
import Restoration
import ServiceLifecycle
import StoreReceipts

/// Focus: the time in which people leave their phones alone, compared within their groups. Taking part is by consent:
/// without a profile nothing of Focus is stored about a user.
package struct FocusFeature: Feature {
    let settings: FocusSettings
    let platform: Platform
    let accounts: Accounts
    let receipts: ReceiptVerifier
    let outbox: NotificationOutbox
    /// It remembers what it has put off.
    let due: FocusDueJob

    /// - Parameter notifications: takes push messages in the transactions that cause them.
    package init(
        _ settings: FocusSettings, platform: Platform, accounts: Accounts, receipts: ReceiptVerifier,
        notifications: NotificationOutbox
    ) {
        self.settings = settings
        self.platform = platform
        self.accounts = accounts
        self.receipts = receipts
        outbox = notifications
        due = FocusDueJob(
            postgres: platform.jobDatabase,
            temptations: FocusTemptationService(
                members: FocusMemberStore(postgres: platform.database), isOn: settings.hasTemptations),
            reminders: FocusReminders(), outbox: notifications)
    }

    package var routes: [Route] {
        let cursors = FocusCursors(secret: platform.secrets)
        var routes = profileRoutes.routes
        routes += FocusDeviceRoutes(service: devices).routes
        routes += FocusSyncRoutes(service: syncs).routes
        routes += FocusDayRoutes(service: days, now: now, settings: settings).routes
        routes += FocusSessionRoutes(service: sessions, cursors: cursors).routes
        routes += FocusScheduleRoutes(service: schedules).routes
        routes += FocusIntentionRoutes(service: intentions).routes
        routes += FocusPartnerRoutes(service: partners).routes
        routes += FocusTutorialRoutes(tutorial: tutorial).routes
        routes += FocusProRoutes(service: pro).routes
        routes += FocusPeopleRoutes(service: follows, feed: feed, cursors: cursors).routes
        routes += FocusTemptationRoutes(postgres: platform.database, service: temptations).routes
        return routes + FocusBoardRoutes().routes + FocusLeagueRoutes().routes
    }

    package var departures: [Route] { profileRoutes.departures }

    private var profileRoutes: FocusProfileRoutes {
        FocusProfileRoutes(service: profiles, tokens: AppAccountToken(secret: platform.secrets))
    }

    package var jobs: [any Service] {
        let (due, ends, close) = (due, ends, close)
        return [
            job("focus_due", every: .seconds(5)) { try await due.runOnce() },
            job("focus_ends", every: .seconds(60)) { try await ends.runOnce() },
            job("focus_close", every: .seconds(60)) { try await close.runOnce() },
        ]
    }

    private func job(
        _ name: String, every interval: Duration, _ run: @escaping @Sendable () async throws -> some Sendable
    ) -> PeriodicJob {
        let (postgres, clocks) = (platform.jobDatabase, platform.clocks)
        return PeriodicJob(name: name, interval: interval, logger: platform.logger) {
            try await clocks.whileAgreed(postgres) { _ = try await run() }
        }
    }

    package var purges: [any Service] {
        let purge = purge
        let (postgres, clocks) = (platform.jobDatabase, platform.clocks)
        return [
            // Events may not outlive their time by more than minutes, so the job looks more often than once a night.
            PeriodicJob(
                name: "focus_purge", interval: .seconds(600), leases: platform.leases, logger: platform.logger
            ) {
                try await clocks.whileAgreed(postgres) { _ = try await purge.runOnce() }
            }
        ]
    }

    /// Takes part in a notification of the App Store.
    @Sendable package func take(_ notification: StoreNotification) async throws {
        try await pro.take(notification)
    }

    package var exports: [UserDataExport] {
        [
            FocusExport(
                parts: [
                    FocusExportStore.measured, FocusExportStore.compared,
                    // Their followers chose so themselves, and are left out.
                    { tx, user in ["following": try FocusFollowStore.exported(tx, user)] },
                    FocusActExportStore.export, temptations.export,
                ]
            ).export
        ]
    }

    package var restorations: [RestoreWalk] { FocusRestorations(postgres: platform.database).walks }
}
