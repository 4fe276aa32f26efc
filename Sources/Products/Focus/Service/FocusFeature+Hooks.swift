import FeatureKit
import Groups
import Notifications

extension FocusFeature {
    /// The parts that Focus takes in changes of groups. They do not need the feature itself, because it is built after the
    /// groups.
    package static func groupHooks(_ platform: Platform) -> GroupHooks {
        let follows = FocusFollowStore(postgres: platform.database)
        return GroupHooks(
            onBlock: [
                { tx, blocker, blocked in
                    try follows.delete(tx, between: blocker, blocked)
                    try FocusPartnerStore.end(tx, between: blocker, and: blocked)
                }
            ],
            onMembershipEnd: [{ tx, user in try FocusPartnerStore.endWithoutGroup(tx, of: user) }],
            acquaintances: [{ tx, one, other in try follows.exists(tx, between: one, other) }])
    }

    /// Says right before each push message of Focus whether its reason still holds. It does not need the feature itself, because
    /// it is built after the notifications.
    package static func notificationSources(
        _ settings: FocusSettings, _ platform: Platform
    ) -> [NotificationKind: PersonalNotificationSource] {
        let postgres = platform.jobDatabase
        let temptations = FocusTemptationSource(postgres: postgres, isOn: settings.hasTemptations)
        return FocusReminders.sources(postgres).merging(FocusPartnerNotices.sources(postgres)) { $1 }
            .merging([.temptation: temptations.source]) { $1 }
    }
}
