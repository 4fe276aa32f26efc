import Foundation
import RateLimiting

/// What can be wrong with a call about signing in or about one's own account.
package enum AuthError: Error, Equatable {
    case invalidPhoneNumber
    /// A member of the request breaks a rule of its own.
    case invalid(pointer: String, rule: String)
    /// Wrong, unknown, used or expired: all alike.
    case verificationFailed(attemptsRemaining: Int)
    case tooManyAttempts(retryAfter: Duration)
    case rateLimited(RateLimited)
    /// No more messages can be taken now.
    case overloaded
    case invalidRefreshToken
    /// The account of a good token was deleted meanwhile.
    case userGone
    case sessionNotFound
    case timeZoneChangedRecently(retryAt: Date)
}
