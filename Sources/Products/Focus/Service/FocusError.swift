import FeatureKit
import FocusAPI
import Foundation
import HTTPKit

/// The reasons for which a call of Focus is refused. It knows nothing of HTTP.
enum FocusError: Error, Equatable {
    /// The caller has no profile: they have not agreed to take part.
    case notJoined
    /// The thing does not exist, or the caller may not see it.
    case notFound
    case nicknameTaken
    case deviceLimitReached
    case dayClosed
    case followLimitReached
    case sessionActive
    case scheduleAlreadyStarted
    case proRequired
    /// - Parameter endsAt: the time from which the session may end.
    case beastMode(endsAt: Date)
    case scheduleLimitReached
    case scheduleOverlap
    case intentionLimitReached
    case freezeUnavailable
    case partnerLimitReached
    case invalidReceipt
    case purchaseClaimed
    /// The page that the client asks for is not known any more, or never was.
    case cursorExpired
    case limited(retryAfter: Duration)
}

extension FocusError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .notJoined:
            Problem(.conflict, .focusNotJoined, "You have not joined Focus yet.")
        case .notFound: .notFound
        case .nicknameTaken:
            Problem(.conflict, .nicknameTaken, "Somebody else has this nickname. Please choose another one.")
        case .deviceLimitReached:
            Problem(.conflict, .deviceLimitReached, "You have as many phones as possible. Remove one first.")
        case .dayClosed: Problem(.conflict, .dayClosed, "This day is too long ago to be rated.")
        case .followLimitReached:
            Problem(.conflict, .followLimitReached, "You already follow as many people as possible.")
        case .sessionActive:
            Problem(.conflict, .sessionActive, "You have another session at this time.")
        case .scheduleAlreadyStarted:
            Problem(.conflict, .scheduleAlreadyStarted, "This schedule has already started on this date.")
        case .proRequired: Problem(.conflict, .proRequired, "This needs Focus Pro.")
        case .beastMode(let endsAt):
            Problem(
                .conflict, .beastMode, "You chose beast mode: this session lasts until its goal.",
                extensions: ["ends_at": .date(endsAt)])
        case .scheduleLimitReached:
            Problem(.conflict, .scheduleLimitReached, "You have as many schedules as possible.")
        case .scheduleOverlap:
            Problem(.conflict, .scheduleOverlap, "You have another schedule at this time.")
        case .intentionLimitReached:
            Problem(.conflict, .intentionLimitReached, "You have as many intentions as possible.")
        case .freezeUnavailable:
            Problem(.conflict, .freezeUnavailable, "You have already taken this week's freeze.")
        case .partnerLimitReached:
            Problem(.conflict, .partnerLimitReached, "You have as many partners and requests as possible.")
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
