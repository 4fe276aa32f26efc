import DeviceIntake
import FocusRules

/// The temptations of a user that push providers have accepted.
struct SentTemptations: Sendable, Equatable {
    struct Sent: Sendable, Equatable {
        let at: Instant
        /// The first unlock after it; nil: none yet.
        var firstUnlock: Instant?

        var isResisted: Bool {
            firstUnlock.map { FocusRules.isResisted(sentAt: at, firstUnlockAt: $0) } ?? false
        }
    }

    /// A phone may report an unlock up to 7 days late. After a day more the first unlock is settled.
    private static let settlingSeconds = 8 * secondsPerDay

    /// Sent messages whose first unlock cannot change any more.
    private(set) var settledSent = 0
    private(set) var settledResisted = 0
    /// The others, in order.
    private(set) var recent: [Sent] = []

    init(settledSent: Int = 0, settledResisted: Int = 0, recent: [Sent] = []) {
        self.settledSent = settledSent
        self.settledResisted = settledResisted
        self.recent = recent
    }

    var sent: Int { settledSent + recent.count }
    var resisted: Int { settledResisted + recent.count(where: \.isResisted) }

    mutating func accept(at now: Instant) {
        settle(at: now)
        recent.append(Sent(at: now))
    }

    /// Takes unlocks that have arrived, in any order.
    mutating func take(unlocks: [Instant], now: Instant) {
        for index in recent.indices {
            let later = unlocks.filter { $0 > recent[index].at }
            guard let first = later.min() else { continue }
            recent[index].firstUnlock = min(first, recent[index].firstUnlock ?? .max)
        }
        settle(at: now)
    }

    private mutating func settle(at now: Instant) {
        let settled = recent.prefix { $0.firstUnlock != nil && $0.at <= now - Self.settlingSeconds }
        settledSent += settled.count
        settledResisted += settled.count(where: \.isResisted)
        recent.removeFirst(settled.count)
    }
}
