import DaylyAPI

extension GroupsFeature {
    /// The problems of the feature's own calls: their meanings, and what a client does about them.
    package static let problems: [ProblemCode: String] = [
        .groupLimitReached: "The caller is already in the maximum number of groups.",
        .groupFull: "The group already has the maximum number of members.",
        .removalLimitReached: "The caller has already removed the maximum number of members for one day.",
        .inviteLimitReached: "The group already has the maximum number of open invitations.",
        .inviteNotFound: "The code is unknown, used, revoked, expired or for another phone number.",
    ]
}
