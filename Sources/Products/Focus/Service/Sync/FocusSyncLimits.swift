import FeatureKit
import FocusRules
import RateLimiting

/// The syncs of a user in the current minute and day. The counts stand in the profile's row, which every sync locks and
/// writes anyway, so that limits cost a sync no further statement.
struct FocusSyncLimits: Sendable, Equatable {
    struct Window: Sendable, Equatable {
        /// nil before the first sync.
        var began: Instant?
        var count: Int

        /// Whether the window of that many seconds is still open. One that begins later was opened by a clock that was ahead; by
        /// less than the tolerance it may be that of a transaction that began later and came first.
        func isOpen(at now: Instant, seconds: Int) -> Bool {
            began.map { $0 - Int(ClockWatch.tolerance) <= now && now < $0 + seconds } ?? false
        }
    }

    private static let perMinute = 30
    private static let perDay = 2_000

    private(set) var minute: Window
    private(set) var day: Window

    init(minute: Window, day: Window) {
        self.minute = minute
        self.day = day
    }

    /// Counts a sync in both windows.
    ///
    /// - Throws: `RateLimited`, of the window that ends last if both are used up.
    mutating func take(at now: Instant) throws(RateLimited) {
        try Self.take(&day, at: now, seconds: 86_400, limit: Self.perDay, scope: "focus.sync.day")
        try Self.take(&minute, at: now, seconds: 60, limit: Self.perMinute, scope: "focus.sync.minute")
    }

    private static func take(
        _ window: inout Window, at now: Instant, seconds: Int, limit: Int, scope: RateScope
    ) throws(RateLimited) {
        if !window.isOpen(at: now, seconds: seconds) { window = Window(began: now, count: 0) }
        guard window.count < limit else {
            throw RateLimited(
                scope: scope, limit: limit, per: .seconds(seconds),
                retryAfter: .seconds((window.began ?? now) + seconds - now))
        }
        window.count += 1
    }
}
