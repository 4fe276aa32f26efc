import DeviceIntake
import FocusRules
import Metrics

/// The counters of syncs. They hold no ids.
enum FocusSyncMetrics {
    static func count(_ result: FocusSyncResult) {
        Counter(label: "dayly_focus_syncs_total").increment()
        for (_, reason) in result.rejected {
            Counter(label: "dayly_focus_rejected_events_total", dimensions: [("reason", reason.rawValue)])
                .increment()
        }
    }
}
