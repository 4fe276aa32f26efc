import DaylyAPI
import Synchronization

/// The counts of this process since it last wrote its totals. It is in memory only, so that two reports never wait for the
/// same row. A process that is killed loses the counts of a few seconds.
final class AnalyticsTally: Sendable {
    private let counts = Mutex<[AnalyticsEventName: Int]>([:])

    init() {}

    func add(_ totals: [AnalyticsEventName: Int]) {
        counts.withLock { $0.merge(totals, uniquingKeysWith: +) }
    }

    /// Returns the counts and empties the tally.
    func take() -> [AnalyticsEventName: Int] {
        counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
    }
}
