/// The kinds of notifications. Apps switch on the raw value, and it is a part of the keys of their localised texts.
package enum NotificationKind: String, Codable, Sendable, CaseIterable {
    case photo
    case invitation
    /// Tries to end a streak.
    case temptation
    /// The results of a week.
    case results
    /// Asks for a judgement of the day before.
    case review
    /// Asks how the next morning is to begin.
    case morning
    /// Proposes to find a partner.
    case partnerPrompt = "partner_prompt"
    /// A partner broke a streak.
    case partnerBreak = "partner_break"
    /// Somebody asks the user to become their partner.
    case partnerRequest = "partner_request"
    /// The cat looks back on the day.
    case companionNightly = "companion_nightly"
    /// The pet has fallen ill.
    case companionPetSick = "companion_pet_sick"
    /// The pet dies at the end of the day unless it is fed.
    case companionPetDying = "companion_pet_dying"
    case companionPetDead = "companion_pet_dead"
    /// The device's session was ended from elsewhere. It is sent to that device alone.
    case signedOut = "signed_out"

    /// The key of the title among the app's own texts.
    var titleKey: String { "push_\(rawValue)_title" }
    /// The key of the body among the app's own texts.
    var bodyKey: String { "push_\(rawValue)_body" }

    /// Whether a device shows only the last message of the kind.
    var replacesEarlier: Bool {
        switch self {
        case .temptation, .results, .review, .morning, .partnerPrompt, .companionNightly, .companionPetSick,
            .companionPetDying, .companionPetDead, .signedOut:
            true
        case .photo, .invitation, .partnerBreak, .partnerRequest: false
        }
    }
}
