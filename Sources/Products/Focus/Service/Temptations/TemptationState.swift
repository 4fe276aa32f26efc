import FeatureKit
import FocusRules

/// The wishes of a user about temptations.
struct TemptationWishes: Sendable, Equatable {
    var isEnabled = true
    var intensity = TemptationIntensity.medium
    /// Local times, `HH:MM`; nil: no quiet hours.
    var quiet: QuietTimes? = QuietTimes(from: "22:00", to: "07:00")
}

/// Two different local times, `HH:MM`.
struct QuietTimes: Sendable, Equatable {
    let from: String
    let to: String
}

/// Everything that decides about a user's temptations.
struct TemptationState: Sendable {
    /// The chain of the streak that is tempted.
    struct Chain: Sendable, Equatable {
        let streakBegan: Instant
        /// Nil: the streak gets no more.
        let due: TemptationChain.Due?
    }

    let user: UserID
    let zone: String
    let wishes: TemptationWishes
    /// The quiet hours of the account.
    let accountQuiet: QuietTimes?
    /// The last one that a provider accepted.
    let lastSent: TemptationText?
    let lastKey: String?
    let sent: SentTemptations
    /// Whether the user's tracking status is `verified`.
    let isVerified: Bool
    let chain: Chain?

    func rules(of streakBegan: Instant) -> TemptationChain {
        TemptationChain(user: user.rawValue.uuidString.lowercased(), streakBegan: streakBegan)
    }
}
