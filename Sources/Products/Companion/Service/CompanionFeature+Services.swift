import FeatureKit
import Notifications

/// The services of Companion.
extension CompanionFeature {
    var settingsService: CompanionSettingsService {
        CompanionSettingsService(postgres: platform.database, accounts: accounts, rates: platform.rates)
    }

    // MARK: Reports of phones, and what comes of them

    var devices: CompanionDeviceService {
        CompanionDeviceService(postgres: platform.database, accounts: accounts)
    }

    var syncs: CompanionSyncService {
        CompanionSyncService(
            postgres: platform.database, accounts: accounts,
            closing: CompanionDayClosing(awards: settings.award), rates: platform.rates)
    }

    var diary: CompanionDiaryService { CompanionDiaryService(accounts: accounts) }

    // MARK: Pets and wallets

    var pets: CompanionPetService {
        CompanionPetService(
            postgres: platform.database, accounts: accounts, rules: settings.petRules,
            totals: CompanionTotals())
    }

    var recoveries: CompanionRecoveryService {
        CompanionRecoveryService(
            postgres: platform.database, accounts: accounts, rules: settings.petRules,
            totals: CompanionTotals())
    }

    var wallets: CompanionWalletService { CompanionWalletService(accounts: accounts) }

    var memorials: CompanionMemorialService {
        CompanionMemorialService(postgres: platform.database, accounts: accounts)
    }

    // MARK: Selling

    var catalogue: CompanionCatalogueService { CompanionCatalogueService(accounts: accounts) }

    var cosmetics: CompanionCosmeticService {
        CompanionCosmeticService(postgres: platform.database, accounts: accounts)
    }

    var purchases: CompanionPurchaseService {
        CompanionPurchaseService(
            postgres: platform.database, accounts: accounts,
            refunds: CompanionRefunds(accounts: accounts, codes: .companion(platform.secrets)),
            receipts: receipts, products: CompanionProducts(settings.products), rates: platform.rates,
            listeners: storeListeners)
    }

    // MARK: Jobs

    var roll: CompanionRollJob { .ofPets(platform.jobDatabase, accounts) }

    var summaries: CompanionRollJob { .ofSummaries(platform.jobDatabase, accounts) }

    var nightly: CompanionNightlyJob {
        CompanionNightlyJob(postgres: platform.jobDatabase, outbox: outbox)
    }

    var purge: CompanionPurge { Self.purge(platform.jobDatabase) }

    /// Says right before each push message of Companion whether its reason still holds. It does not need the feature itself,
    /// because it is built after the notifications.
    package static func notificationSources(
        _ settings: CompanionSettings, _ platform: Platform
    ) -> [NotificationKind: PersonalNotificationSource] {
        [.companionNightly: CompanionNightlySource(postgres: platform.jobDatabase).source]
            .merging(CompanionPetNotices.sources(platform.jobDatabase, settings.petRules)) { $1 }
    }
}
