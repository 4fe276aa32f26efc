import FeatureKit
import Notifications
import Postgres
import StoreReceipts

/// The things on which the rooms of Companion stand.
struct CompanionCore: Sendable {
    let settings: CompanionSettings
    let platform: Platform
    let accounts: CompanionAccounts
    let receipts: ReceiptVerifier
    /// Takes push messages in the transactions that cause them.
    let notifications: NotificationOutbox
    /// The other products that take part in notifications of the App Store.
    let storeListeners: [StoreNotification.Listener]

    var postgres: PostgresClient { platform.database }
    var cursors: CompanionCursors { CompanionCursors(secret: platform.secrets) }
    var dayReader: CompanionDayReader { CompanionDayReader(accounts: accounts) }
    var settingsService: CompanionSettingsService {
        CompanionSettingsService(
            postgres: platform.database, accounts: accounts, rates: platform.rates)
    }
}
