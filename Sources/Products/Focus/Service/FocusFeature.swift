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
    private let settings: FocusSettings
    private let platform: Platform
    private let measuring: FocusMeasuring
    private let acts: FocusActs
    private let people: FocusPeopleRoom
    private let temptations: FocusTemptationRoom

    /// - Parameter notifications: takes push messages in the transactions that cause them.
    package init(
        _ settings: FocusSettings, platform: Platform, accounts: Accounts, receipts: ReceiptVerifier,
        notifications: NotificationOutbox
    ) {
        self.settings = settings
        self.platform = platform
        let members = FocusMemberStore(postgres: platform.database)
        let people = FocusPeopleRoom(platform: platform, accounts: accounts, members: members)
        let temptations = FocusTemptationRoom(
            settings, platform: platform, members: members, outbox: notifications)
        let leagues = FocusLeagueRoom(settings: settings)
        var signals = Self.signals(people, temptations)
        signals.onLeaguePoints = [leagues.pointsGrew]
        var acts = FocusActs(
            settings, platform: platform, accounts: accounts, members: members, receipts: receipts,
            notices: temptations.partnerNotices)
        acts.signals = signals
        var measuring = FocusMeasuring(settings, platform: platform, members: members)
        measuring.signals = signals
        measuring.intentions = acts.intentionRoom
        measuring.parts = acts.nowParts
        measuring.onProfileChange = [
            { tx, profile in try temptations.reminders.refresh(tx, of: profile.member.user) },
            leagues.profileChanged,
        ]
        (self.acts, self.people, self.temptations, self.measuring) = (acts, people, temptations, measuring)
    }

    private static func signals(_ people: FocusPeopleRoom, _ temptations: FocusTemptationRoom) -> FocusSignals
    {
        var signals = FocusSignals()
        signals.onStreaks = [people.streaksChanged, temptations.streaksChanged]
        signals.onBoards = [
            { tx, member, weeks in
                try FocusHints().boardsChanged(
                    tx, of: member.user, week: weeks.max() ?? monday(of: member.today))
            }
        ]
        return signals
    }

    package var routes: [Route] {
        measuring.routes + acts.routes + people.routes + temptations.routes + FocusBoardRoutes().routes
            + FocusLeagueRoutes().routes
    }

    package var departures: [Route] { measuring.departures }

    package var jobs: [any Service] {
        let (close, postgres, clocks) = (close, platform.jobDatabase, platform.clocks)
        return temptations.jobs + acts.jobs + [
            PeriodicJob(name: "focus_close", interval: .seconds(60), logger: platform.logger) {
                try await clocks.whileAgreed(postgres) { _ = try await close.runOnce() }
            }
        ]
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
        try await acts.pro.take(notification)
    }

    var purge: FocusPurge { Self.purge(platform.jobDatabase) }

    var close: FocusClose { FocusClose(postgres: platform.jobDatabase, settings: settings) }

    package var exports: [UserDataExport] {
        [
            FocusExport(
                parts: [
                    FocusExportStore.measured, FocusExportStore.compared, FocusPeopleRoom.export,
                    FocusActExportStore.export, temptations.export,
                ]
            ).export
        ]
    }

    package var restorations: [RestoreWalk] { FocusRestorations(postgres: platform.database).walks }
}
