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
    let core: CompanionCore

    /// - Parameters:
    ///   - notifications: takes push messages in the transactions that cause them.
    ///   - storeListeners: the other products that take part in notifications of the App Store, which has one address for an app.
    package init(
        _ settings: CompanionSettings, platform: Platform, receipts: ReceiptVerifier,
        notifications: NotificationOutbox, storeListeners: [StoreNotification.Listener] = []
    ) {
        let hooks = CompanionHooks.ofRooms(settings, notifications)
        core = CompanionCore(
            settings: settings, platform: platform,
            accounts: CompanionAccounts(postgres: platform.database, hooks: hooks), receipts: receipts,
            notifications: notifications, storeListeners: storeListeners)
    }

    /// Each room adds a line.
    package var routes: [Route] {
        var routes = CompanionSettingsRoutes(service: core.settingsService).routes
        routes += CompanionDayRoutes(reader: core.dayReader).routes
        routes += reports.routes
        routes += CompanionPetRoom(core: core).routes
        routes += CompanionShop(core).routes
        return routes
    }

    package var departures: [Route] {
        CompanionSettingsRoutes(service: core.settingsService).departures
            + CompanionPurchaseRoutes(service: CompanionShop(core).purchases).notifications
    }

    /// Each job adds an element.
    package var jobs: [any Service] {
        let roll = roll
        let (summaries, nightly) = (reports.summaries, reports.nightly)
        let (postgres, clocks) = (core.platform.jobDatabase, core.platform.clocks)
        return [
            PeriodicJob(name: "companion_beat", interval: .seconds(60), logger: core.platform.logger) {
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
        let (postgres, clocks) = (core.platform.jobDatabase, core.platform.clocks)
        return [
            PeriodicJob(
                name: "companion_purge", interval: .seconds(600), leases: core.platform.leases,
                logger: core.platform.logger
            ) {
                try await clocks.whileAgreed(postgres) { _ = try await purge.runOnce() }
            }
        ]
    }

    var reports: CompanionSyncRoom { CompanionSyncRoom(core) }

    /// A job that looks every 5 seconds whether something is due.
    private func job(_ name: String, _ run: @escaping @Sendable () async throws -> some Sendable)
        -> PeriodicJob
    {
        let (postgres, clocks) = (core.platform.jobDatabase, core.platform.clocks)
        return PeriodicJob(name: name, interval: .seconds(5), logger: core.platform.logger) {
            try await clocks.whileAgreed(postgres) { _ = try await run() }
        }
    }

    var roll: CompanionRollJob { .ofPets(core.platform.jobDatabase, core.accounts) }

    var purge: CompanionPurge { Self.purge(core.platform.jobDatabase) }

    /// Each room adds its part.
    static func purge(_ postgres: PostgresClient) -> CompanionPurge {
        CompanionPurge(
            postgres: postgres, parts: [CompanionPurgeStore.deleteDays, CompanionOfferStore.deleteOld])
    }

    /// Each room adds its part.
    package var exports: [UserDataExport] {
        [
            CompanionExport(
                accounts: core.accounts,
                parts: [
                    CompanionSettingsStore.export, CompanionDayExportStore.export,
                    CompanionPetExportStore.export,
                ] + CompanionSyncRoom.exports + CompanionShop.exports
            ).export
        ]
    }

    /// The settings go before the account, so that their lock comes after that of the user here too.
    package var onErase: [AccountHook] {
        let settings = core.settingsService
        return [{ tx, user in try settings.erase(tx, user) }]
    }

    package var onZoneChange: [ZoneChangeHook] { [CompanionZoneChange(accounts: core.accounts).hook] }

    package var restorations: [RestoreWalk] { CompanionRestorations(settings: core.settingsService).walks }
}
