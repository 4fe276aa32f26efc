import FeatureKit
import HTTPKit
import Notifications
import Postgres

/// The reports of phones and all that comes of them: devices, syncs, the diary, the survey and the evening's push message.
struct CompanionSyncRoom: Sendable {
    private let core: CompanionCore

    init(_ core: CompanionCore) {
        self.core = core
    }

    /// Takes part in what is due. It does not need the room itself, because the accounts are built before it.
    static func join(_ hooks: inout CompanionHooks) {
        let measure = CompanionWindowStore()
        hooks.onBatchEnded.append(measure.daysEnded)
        hooks.onEndMoved.append(measure.endMoved)
        hooks.onSummariesDue.append(CompanionSummaries().write)
        hooks.openUntil = { tx, owner in try CompanionBypassStore().openUntil(tx, of: owner) }
    }

    var routes: [Route] {
        CompanionDeviceRoutes(
            service: CompanionDeviceService(postgres: core.postgres, accounts: core.accounts)
        ).routes
            + CompanionSyncRoutes(service: syncs).routes
            + CompanionDiaryRoutes(
                service: CompanionDiaryService(accounts: core.accounts), cursors: core.cursors
            ).routes
            + CompanionTextRoutes().routes + CompanionSurveyRoutes().routes
    }

    var syncs: CompanionSyncService {
        CompanionSyncService(
            postgres: core.postgres, accounts: core.accounts,
            closing: CompanionDayClosing(awards: core.settings.award, hooks: core.accounts.hooks),
            rates: core.platform.rates)
    }

    var summaries: CompanionRollJob { Self.summaryJob(core.platform.jobDatabase, core.accounts) }

    /// The job `companion_summaries`: the summaries that are due by themselves.
    static func summaryJob(_ postgres: PostgresClient, _ accounts: CompanionAccounts) -> CompanionRollJob {
        let days = CompanionDayStore()
        return CompanionRollJob(of: "companion_summaries", postgres, accounts) { tx, limit, users in
            try days.claimSummaries(tx, limit: limit, without: users)
        }
    }

    var nightly: CompanionNightlyJob {
        CompanionNightlyJob(postgres: core.platform.jobDatabase, outbox: core.notifications)
    }

    static let exports: [UserDataExport] = [
        CompanionDeviceStore.export, CompanionBypassStore.export, CompanionDiaryStore.export,
    ]

    /// Says right before the evening's push message whether its reason still holds.
    static func sources(_ platform: Platform) -> [NotificationKind: PersonalNotificationSource] {
        [.companionNightly: CompanionNightlySource(postgres: platform.jobDatabase).source]
    }
}
