import Auth
import FeatureKit
import Groups
import HTTPKit
import Notifications
import Postgres
import Restoration
import ServiceLifecycle
import StoreReceipts

/// Focus: the time in which people leave their phones alone, compared within their groups. Taking part is by consent:
/// without a profile nothing of Focus is stored about a user.
package struct FocusFeature: Feature {
    private let settings: FocusSettings
    private let platform: Platform
    private let accounts: Accounts
    private let members: FocusMemberStore
    private let receipts: ReceiptVerifier
    private let measuring: FocusMeasuring

    package init(
        _ settings: FocusSettings, platform: Platform, accounts: Accounts, receipts: ReceiptVerifier
    ) {
        self.settings = settings
        self.platform = platform
        self.accounts = accounts
        self.receipts = receipts
        members = FocusMemberStore(postgres: platform.database)
        measuring = FocusMeasuring(settings, platform: platform, members: members)
    }

    package var routes: [Route] { measuring.routes }

    package var jobs: [any Service] { [] }

    package var exports: [UserDataExport] { [] }

    package var onErase: [AccountHook] { [] }

    package var restorations: [RestoreWalk] { [] }
}
