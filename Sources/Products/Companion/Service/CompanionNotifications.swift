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
    package static let webNotifications: [NotificationKind: WebNotification] = [
        .companionNightly: notification(
            "Your cat would like to tell you about the day.", "Deine Katze möchte dir vom Tag erzählen."),
        .companionPetSick: notification("Your pet is not feeling well.", "Deinem Tier geht es nicht gut."),
        .companionPetDying: notification(
            "Your pet needs a meal today.", "Dein Tier braucht heute etwas zu fressen."),
        .companionPetDead: notification("Your pet has died.", "Dein Tier ist gestorben."),
    ]

    private static func notification(
        _ english: WebNotification.Words, _ german: WebNotification.Words
    ) -> WebNotification {
        WebNotification(page: "/companion", ["en": english, "de": german])
    }
}
