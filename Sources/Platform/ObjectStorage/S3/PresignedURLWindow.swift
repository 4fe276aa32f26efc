import Foundation

/// When a signed URL begins and ends, chosen so that everybody who asks within a window gets the same URL and
/// phones' caches hit.
///
/// The URL lives at most `maxLifetime` from `signedAt` and never past the object's expiry. A window lasts at
/// most a quarter of `maxLifetime` (and at least a second), so a fresh URL has at least three quarters left.
package struct PresignedURLWindow: Sendable, Hashable {
    /// The window's beginning, in whole seconds; never after `now`.
    package let signedAt: Date
    /// In whole seconds and later than ``signedAt``. Not later than `now` only when the object is itself
    /// within its last second or past it.
    package let expiresAt: Date

    package init(
        now: Date, window: Duration = .seconds(900), maxLifetime: Duration, objectExpiresAt: Date
    ) {
        let lifetime = max(1, maxLifetime.components.seconds)
        let length = max(1, min(window.components.seconds, lifetime / 4))
        let current = Int64(now.timeIntervalSince1970.rounded(.down))
        let begin = current - (current % length + length) % length
        let end = min(begin + lifetime, Int64(objectExpiresAt.timeIntervalSince1970.rounded(.down)))
        signedAt = Date(timeIntervalSince1970: TimeInterval(min(begin, end - 1)))
        expiresAt = Date(timeIntervalSince1970: TimeInterval(end))
    }
}
