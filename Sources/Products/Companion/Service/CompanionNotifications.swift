import Notifications

extension NotificationKind {
    /// The cat looks back on the day.
    static let companionNightly = NotificationKind(rawValue: "companion_nightly")
    /// The pet has fallen ill.
    static let companionPetSick = NotificationKind(rawValue: "companion_pet_sick")
    /// The pet dies at the end of the day unless it is fed.
    static let companionPetDying = NotificationKind(rawValue: "companion_pet_dying")
    static let companionPetDead = NotificationKind(rawValue: "companion_pet_dead")
}

extension CompanionFeature {
    package static let webNotifications = WebNotification.all(
        page: "/companion",
        CompanionTexts.all.reduce(into: [:]) { $0[$1.key.rawValue] = $1.value.notifications })
}
