/// What a group or an invitation refuses, free of HTTP.
package enum GroupError: Error, Equatable {
    /// There is no such group, member or invitation, or not for this caller.
    case notFound
    /// The caller is in as many groups as anybody may be.
    case groupLimitReached
    /// The group has no seat left.
    case groupFull
    /// The caller created as many groups as anybody may in a day.
    case creationLimitReached(retryAfter: Duration)
    /// The caller removed as many members as anybody may in a day.
    case removalLimitReached(retryAfter: Duration)
    /// Too many open invitations in the group, or too many sent by the caller today.
    case inviteLimitReached(retryAfter: Duration)
    /// Unknown, expired, used, revoked and somebody else's code alike.
    case inviteNotFound
    /// Too many wrong codes, by this caller or from this address.
    case tooManyWrongCodes(retryAfter: Duration)
    /// Nobody is left to invite once the caller's own number is ignored.
    case nobodyToInvite
    /// More different numbers than a group has seats for beside its creator.
    case tooManyMembers(limit: Int)
    /// Nobody blocks himself.
    case cannotBlockOneself
    /// What is muted until then is not muted now.
    case muteEndsInPast
    /// More different numbers than one call may name.
    case tooManyNumbers(limit: Int)
}
