import DaylyAPI
import FocusAPI

extension FocusFeature {
    /// The problems of the feature's own calls: their meanings, and what a client does about them.
    package static let problems: [ProblemCode: String] = [
        .focusNotJoined:
            "The caller has no profile of Focus. `PUT /v1/focus/profile` makes one, after the user's consent.",
        .nicknameTaken: "Somebody else has this nickname, in some spelling of upper and lower case.",
        .dayClosed: "The day is over for too long to be rated.",
        .followLimitReached: "The caller already follows the maximum number of people.",
        .sessionActive: "Another session is running, or has run at that time.",
        .scheduleAlreadyStarted: "The schedule has already started its session of this date.",
        .proRequired: "The call needs Focus Pro.",
        .beastMode: "A session in beast mode cannot end before its goal; `ends_at` says when that is.",
        .scheduleLimitReached: "The caller already has the maximum number of schedules.",
        .scheduleOverlap: "The schedule overlaps another one of the caller.",
        .intentionLimitReached: "The caller already has the maximum number of intentions.",
        .freezeUnavailable: "The caller has already taken this week's freeze.",
        .partnerLimitReached: "The caller already has the maximum number of partners and requests.",
    ]
}
