import Foundation

/// The first and last moment of a signed URL, chosen so that all callers within a window get the same URL and phones can
/// cache by it.
///
/// The URL is valid for at most `maxLifetime` from `signedAt` and never after the object's expiry. A window lasts at most
/// a quarter of `maxLifetime` (and at least a second), so a URL given out now is valid for at least three quarters of it.
package struct PresignedURLWindow: Sendable, Hashable {
    /// The start of the window, in whole seconds; never after `now`.
    package let signedAt: Date
    /// In whole seconds, and later than ``signedAt``. It is later than `now` unless the object is in its last second or
    /// expired.
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
