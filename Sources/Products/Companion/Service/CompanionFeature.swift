import FeatureKit
import HTTPKit
import Jobs
import Notifications
import Postgres
import Restoration
import ServiceLifecycle
import StoreReceipts

/// Companion: a cat for the day and a pet for the long run, for people who want to use their phones less. Taking part is by
/// consent: without a row in `companion_settings` nothing of Companion is stored about a user.
package struct CompanionFeature: Feature {
    let settings: CompanionSettings
    let platform: Platform
    let accounts: CompanionAccounts
    let receipts: ReceiptVerifier
    let outbox: NotificationOutbox
    let storeListeners: [StoreNotification.Listener]

    /// - Parameters:
    ///   - notifications: takes push messages in the transactions that cause them.
    ///   - storeListeners: the other products that take part in notifications of the App Store, which has one address for an app.
    package init(
        _ settings: CompanionSettings, platform: Platform, receipts: ReceiptVerifier,
        notifications: NotificationOutbox, storeListeners: [StoreNotification.Listener] = []
    ) {
        self.settings = settings
        self.platform = platform
        accounts = CompanionAccounts(settings, postgres: platform.database, notifications: notifications)
        self.receipts = receipts
        outbox = notifications
        self.storeListeners = storeListeners
    }

    package var routes: [Route] {
        let (cursors, tokens) = (CompanionCursors(secret: platform.secrets), receipts.tokens)
        var routes = settingsRoutes.routes
        routes += CompanionDayRoutes(reader: CompanionDayReader(accounts: accounts)).routes
        routes += CompanionDeviceRoutes(service: devices).routes
        routes += CompanionSyncRoutes(service: syncs).routes
        routes += CompanionDiaryRoutes(service: diary, cursors: cursors).routes
        routes += CompanionTextRoutes().routes
        routes += CompanionSurveyRoutes().routes
        routes += CompanionPetRoutes(service: pets, tokens: tokens).routes
        routes += CompanionRecoveryRoutes(service: recoveries, tokens: tokens).routes
        routes += CompanionWalletRoutes(service: wallets, tokens: tokens, cursors: cursors).routes
        routes += CompanionMemorialRoutes(service: memorials, cursors: cursors).routes
        routes += CompanionCatalogueRoutes(service: catalogue).routes
        routes += CompanionCosmeticRoutes(service: cosmetics, tokens: tokens).routes
        routes += CompanionPurchaseRoutes(service: purchases).routes
        routes += CompanionFlagRoutes(store: CompanionFlagStore(postgres: platform.database)).routes
        return routes
    }

    package var departures: [Route] {
        settingsRoutes.departures + CompanionPurchaseRoutes(service: purchases).notifications
    }

    private var settingsRoutes: CompanionSettingsRoutes { CompanionSettingsRoutes(service: settingsService) }

    package var jobs: [any Service] {
        let (roll, summaries, nightly) = (roll, summaries, nightly)
        let (postgres, clocks) = (platform.jobDatabase, platform.clocks)
        return [
            PeriodicJob(name: "companion_beat", interval: .seconds(60), logger: platform.logger) {
                // While the clocks disagree nobody can feed.
                try await clocks.whileAgreed(postgres) { try await CompanionOfferStore.beat(postgres) }
            },
            job("companion_roll") { try await roll.runOnce() },
            job("companion_summaries") { try await summaries.runOnce() },
            job("companion_nightly") { try await nightly.runOnce() },
        ]
    }

    package var purges: [any Service] {
        let purge = purge
        let (postgres, clocks) = (platform.jobDatabase, platform.clocks)
        return [
            PeriodicJob(
                name: "companion_purge", interval: .seconds(600), leases: platform.leases,
                logger: platform.logger
            ) {
                try await clocks.whileAgreed(postgres) { _ = try await purge.runOnce() }
            }
        ]
    }

    /// A job that looks every 5 seconds whether something is due.
    private func job(_ name: String, _ run: @escaping @Sendable () async throws -> some Sendable)
        -> PeriodicJob
    {
        let (postgres, clocks) = (platform.jobDatabase, platform.clocks)
        return PeriodicJob(name: name, interval: .seconds(5), logger: platform.logger) {
            try await clocks.whileAgreed(postgres) { _ = try await run() }
        }
    }

    static func purge(_ postgres: PostgresClient) -> CompanionPurge {
        CompanionPurge(
            postgres: postgres, parts: [CompanionPurgeStore.deleteDays, CompanionOfferStore.deleteOld])
    }

    package var exports: [UserDataExport] {
        [
            CompanionExport(
                accounts: accounts,
                parts: [
                    CompanionSettingsStore.export, CompanionDayExportStore.export,
                    CompanionPetExportStore.export, CompanionDeviceStore.export, CompanionBypassStore.export,
                    CompanionDiaryStore.export, CompanionCosmeticStore.export, CompanionPurchaseStore.export,
                ]
            ).export
        ]
    }

    /// The settings go before the account, so that their lock comes after that of the user here too.
    package var onErase: [AccountHook] {
        let settings = settingsService
        return [{ tx, user in try settings.erase(tx, user) }]
    }

    package var onZoneChange: [ZoneChangeHook] { [CompanionZoneChange(accounts: accounts).hook] }

    package var restorations: [RestoreWalk] { CompanionRestorations(settings: settingsService).walks }
}
