import FeatureKit
import HTTPKit
import Jobs
import Notifications
import Postgres
import ServiceLifecycle

/// Temptations, reminders and the messages between partners: everything that Focus sends to phones.
struct FocusTemptationRoom: Sendable {
    /// Takes what syncs bring.
    let service: FocusTemptationService
    let reminders = FocusReminders()
    let partnerNotices: FocusPartnerNotices
    /// Tests and commands run it once.
    let job: FocusDueJob
    private let platform: Platform

    init(
        _ settings: FocusSettings, platform: Platform, members: FocusMemberStore, outbox: NotificationOutbox
    ) {
        self.platform = platform
        service = FocusTemptationService(members: members, isOn: settings.hasTemptations)
        partnerNotices = FocusPartnerNotices(outbox: outbox)
        job = FocusDueJob(
            postgres: platform.jobDatabase, temptations: service, reminders: reminders, outbox: outbox)
    }

    var routes: [Route] { FocusTemptationRoutes(postgres: platform.database, service: service).routes }

    var jobs: [any Service] {
        let (job, postgres, clocks) = (job, platform.jobDatabase, platform.clocks)
        return [
            PeriodicJob(name: "focus_due", interval: .seconds(5), logger: platform.logger) {
                try await clocks.whileAgreed(postgres) { _ = try await job.runOnce() }
            }
        ]
    }

    /// Begins or ends the chain of a user's temptations.
    func streaksChanged(_ tx: PostgresTransaction, _ change: FocusSignals.StreakChange) throws {
        try service.streakChanged(
            tx, change.member, running: change.expected?.began, unlocks: change.unlocks)
    }

    /// The settings of temptations, and what became of them.
    func export(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        let state = try service.require(tx, user)
        let wishes = state.wishes
        return [
            "temptations": .object([
                "enabled": .bool(wishes.isEnabled), "intensity": .string(wishes.intensity.rawValue),
                "quiet_from": wishes.quiet.map { .string($0.from) } ?? .null,
                "quiet_to": wishes.quiet.map { .string($0.to) } ?? .null,
                "sent": .int(state.sent.sent), "resisted": .int(state.sent.resisted),
            ])
        ]
    }

    /// Says right before each push message whether its reason still holds. It does not need the room itself, because Focus is
    /// built after the notifications.
    static func sources(
        _ settings: FocusSettings, _ platform: Platform
    ) -> [NotificationKind: PersonalNotificationSource] {
        let postgres = platform.jobDatabase
        let temptations = FocusTemptationSource(postgres: postgres, isOn: settings.hasTemptations)
        return FocusReminders.sources(postgres).merging(FocusPartnerNotices.sources(postgres)) { $1 }
            .merging([.temptation: temptations.source]) { $1 }
    }
}
