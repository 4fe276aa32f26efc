import CompanionAPI
import CompanionRules
import FeatureKit
import Foundation
import HTTPKit

/// The reasons for which a call of Companion is refused. It knows nothing of HTTP.
enum CompanionError: Error, Equatable {
    /// The caller has not agreed to take part.
    case notJoined
    /// The thing does not exist, or is not the caller's.
    case notFound
    case deviceLimitReached
    case petExists
    case wrongPetState
    case notEnoughEnergy
    case notEnoughGems
    /// - Parameter retryAt: the first instant at which the pause and the count allow the recovery.
    case recoveryUnavailable(retryAt: Instant)
    case notOwned
    case alreadyOwned
    case outOfSeason
    case invalidReceipt
    case purchaseClaimed
    /// The page that the client asks for is not known any more, or never was.
    case cursorExpired
    case limited(retryAfter: Duration)
}

extension CompanionError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .notJoined:
            Problem(.conflict, .companionNotJoined, "You have not joined Companion yet.")
        case .notFound: .notFound
        case .deviceLimitReached:
            Problem(.conflict, .deviceLimitReached, "You have as many phones as possible. Remove one first.")
        case .petExists: Problem(.conflict, .petExists, "You already have a pet.")
        case .wrongPetState: Problem(.conflict, .wrongPetState, "Your pet's health does not allow this.")
        case .notEnoughEnergy: Problem(.conflict, .notEnoughEnergy, "You have too little energy for this.")
        case .notEnoughGems: Problem(.conflict, .notEnoughGems, "You have too few gems for this.")
        case .recoveryUnavailable(let retryAt):
            Problem(
                .conflict, .recoveryUnavailable, "This is not possible again yet.",
                extensions: ["retry_at": .date(Date(instant: retryAt))])
        case .notOwned: Problem(.conflict, .notOwned, "You do not own this.")
        case .alreadyOwned: Problem(.conflict, .alreadyOwned, "You already own this.")
        case .outOfSeason: Problem(.conflict, .outOfSeason, "This is not sold now.")
        case .invalidReceipt:
            Problem(.unprocessableContent, .invalidReceipt, "This purchase does not belong to your account.")
        case .purchaseClaimed:
            Problem(.conflict, .purchaseClaimed, "This purchase already counts for an account.")
        case .cursorExpired:
            Problem(.gone, .cursorExpired, "This page is gone. Please start again from the first one.")
        case .limited(let retryAfter): .rateLimited(retryAfter: retryAfter)
        }
    }
}
