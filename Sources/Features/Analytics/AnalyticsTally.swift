import DaylyAPI
import Synchronization

/// The counts of this process since it last wrote its totals. It is in memory only, so that no two reports ever wait
/// for the same row; a process that is killed loses the counts of a few seconds.
package final class AnalyticsTally: Sendable {
    private let counts = Mutex<[AnalyticsEventName: Int]>([:])

    package init() {}

    func add(_ totals: [AnalyticsEventName: Int]) {
        counts.withLock { $0.merge(totals, uniquingKeysWith: +) }
    }

    /// Empties the tally.
    func take() -> [AnalyticsEventName: Int] {
        counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
    }
}
