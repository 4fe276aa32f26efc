import CompanionAPI
import DaylyAPI

extension CompanionFeature {
    /// The problems of the feature's own calls: their meanings, and what a client does about them.
    package static let problems: [ProblemCode: String] = [
        .companionNotJoined:
            "The caller has no part in Companion. `PUT /v1/companion/settings` joins, after the user's consent.",
        .petExists: "The caller already has a pet, alive or dead.",
        .wrongPetState: "The pet's health does not allow the call.",
        .notEnoughEnergy: "The caller's energy does not pay the price.",
        .notEnoughGems: "The caller's gems do not pay the price.",
        .recoveryUnavailable:
            "The caller has recovered a pet too recently or too often; `retry_at` says when they may again.",
        .notOwned: "The caller does not own all of these cosmetics.",
        .alreadyOwned: "The caller already owns this cosmetic.",
        .outOfSeason: "The cosmetic is not sold now.",
    ]
}
