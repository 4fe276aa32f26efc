import DeviceIntake
import HTTPKit
import Metrics

/// The counters of syncs. They hold no ids.
enum CompanionSyncMetrics {
    static func count(_ result: CompanionSyncResult) {
        syncs("done")
        events("accepted", result.acceptedCount)
        for rejection in result.rejected { events(rejection.reason.rawValue, 1) }
    }

    /// A sync that was not taken. Only a defect, or a part of the service that is down, counts as a failure.
    static func count(_ error: any Error) {
        syncs(error is any ProblemConvertible || error is Problem ? "refused" : "failed")
    }

    private static func syncs(_ outcome: String) {
        Counter(label: "dayly_companion_syncs_total", dimensions: [("outcome", outcome)]).increment()
    }

    private static func events(_ outcome: String, _ count: Int) {
        guard count > 0 else { return }
        Counter(label: "dayly_companion_events_total", dimensions: [("outcome", outcome)])
            .increment(by: count)
    }
}
