import DaylyAPI
import Foundation
import RateLimiting

/// The reasons for which a call about sign-in or about the caller's own account is refused.
package enum AuthError: Error, Equatable {
    case invalidPhoneNumber
    /// A member of the request breaks a rule of its own.
    case invalid(pointer: String, rule: String)
    /// The code is wrong, unknown, used or expired. The answer does not tell which.
    case verificationFailed(attemptsRemaining: Int)
    case tooManyAttempts(retryAfter: Duration)
    case rateLimited(RateLimited)
    /// A limit is near or used up, and a client that does the work gets a code all the same.
    case workNeeded(RateLimited, WorkChallenge)
    /// Other sign-ins and deletions of the same number kept getting in the way. The client should try again.
    case signInContended
    case invalidRefreshToken
    /// The token was valid, but its account was deleted meanwhile.
    case userGone
    case sessionNotFound
    case timeZoneChangedRecently(retryAt: Date)
}
