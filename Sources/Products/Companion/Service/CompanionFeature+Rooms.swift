import FeatureKit
import Notifications

extension CompanionHooks {
    /// The parts that the rooms take in what is due. Each room adds its lines. They need no accounts, because the accounts
    /// run them.
    static func ofRooms(
        _ settings: CompanionSettings, _ notifications: NotificationOutbox
    ) -> CompanionHooks {
        var hooks = CompanionHooks()
        CompanionSyncRoom.join(&hooks)
        CompanionPetRoom.join(&hooks, settings, notifications)
        return hooks
    }
}

extension CompanionFeature {
    /// Says right before each push message of Companion whether its reason still holds. It does not need the feature itself,
    /// because it is built after the notifications.
    package static func notificationSources(
        _ settings: CompanionSettings, _ platform: Platform
    ) -> [NotificationKind: PersonalNotificationSource] {
        CompanionSyncRoom.sources(platform)
            .merging(CompanionPetNotices.sources(platform.jobDatabase, settings.petRules)) { $1 }
    }
}
