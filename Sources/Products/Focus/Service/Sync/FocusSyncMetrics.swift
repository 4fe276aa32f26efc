import DeviceIntake
import FocusRules
import HTTPKit
import Metrics
import RateLimiting

/// The counters of syncs. They hold no ids.
enum FocusSyncMetrics {
    static func count(_ result: FocusSyncResult) {
        syncs("done")
        events("kept", result.kept - result.corrected)
        events("corrected", result.corrected)
        for (_, reason) in result.rejected { events(reason.rawValue, 1) }
        if result.hasVerified { verifications("verified") }
    }

    /// A sync that was not taken. Only a defect, or a part of the service that is down, counts as a failure.
    static func count(_ error: any Error) {
        syncs(error is any ProblemConvertible || error is Problem ? "refused" : "failed")
    }

    static func verifications(_ outcome: String) {
        Counter(label: "dayly_focus_verifications_total", dimensions: [("outcome", outcome)]).increment()
    }

    private static func syncs(_ outcome: String) {
        Counter(label: "dayly_focus_syncs_total", dimensions: [("outcome", outcome)]).increment()
    }

    private static func events(_ outcome: String, _ count: Int) {
        guard count > 0 else { return }
        Counter(label: "dayly_focus_events_total", dimensions: [("outcome", outcome)]).increment(by: count)
    }
}
