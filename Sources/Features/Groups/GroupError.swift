/// The reasons for which a call about a group or an invitation is refused. It knows nothing of HTTP.
package enum GroupError: Error, Equatable {
    /// The group, member or invitation does not exist, or the caller may not see it.
    case notFound
    /// The caller is already in the largest allowed number of groups.
    case groupLimitReached
    /// The group has no seat left.
    case groupFull
    /// The caller has already created the largest allowed number of groups in a day.
    case creationLimitReached(retryAfter: Duration)
    /// The caller has already removed the largest allowed number of members in a day.
    case removalLimitReached(retryAfter: Duration)
    /// The group has too many open invitations, or the caller has sent too many today.
    case inviteLimitReached(retryAfter: Duration)
    /// The code is unknown, expired, used, revoked, or for another number. The answer does not tell which.
    case inviteNotFound
    /// The text has a 0, O, 1 or I where a code has other characters.
    case codeMisread
    /// The text has letters of another alphabet where a code has others.
    case codeForeign
    /// The caller, or others at their address, entered too many wrong codes.
    case tooManyWrongCodes(retryAfter: Duration)
    /// No number is left to invite without the caller's own.
    case nobodyToInvite
    /// The call names more different numbers than a group has seats beside its creator.
    case tooManyMembers(limit: Int)
    case cannotBlockOneself
    /// The end of the mute is not in the future.
    case muteEndsInPast
    /// The call names too many different numbers.
    case tooManyNumbers(limit: Int)
}
