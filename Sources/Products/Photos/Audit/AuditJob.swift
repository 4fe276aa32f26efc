import Logging
import Metrics

/// The periodic audit of the service. One instance runs it at a time.
struct AuditJob: Sendable {
    private let audit: PhotoAudit
    private let settings: AuditSettings
    private let interval: Duration
    private let logger: Logger

    /// - Parameter interval: the time from the end of one audit to the next one, over all instances.
    init(_ audit: PhotoAudit, _ settings: AuditSettings, every interval: Duration, logger: Logger) {
        self.audit = audit
        self.settings = settings
        self.interval = interval
        self.logger = logger
    }

    /// Runs an audit if one is due or was interrupted.
    func runOnce() async throws {
        let schedule = try await audit.store.schedule()
        if let age = schedule.lastComplete {
            Gauge(label: "dayly_audit_last_complete_seconds").record(age / .seconds(1))
        }
        // Another instance may have run the last audit, and alerts take the worst of all instances.
        if let report = schedule.lastReport { audit.measure(report) }
        guard schedule.isDue else { return }
        let report: AuditReport
        do {
            report = try await audit.run(settings, resume: true, nextAfter: interval)
        } catch AuditFailure.underWay {
            return
        } catch AuditFailure.takenOver {
            return
        }
        if report.isComplete { Gauge(label: "dayly_audit_last_complete_seconds").record(0) }
        log(report)
    }

    /// Object keys and photo ids do not identify people, so they may be logged.
    private func log(_ report: AuditReport) {
        if let doubt = report.doubt {
            logger.error(
                "photos seem to have lost their objects and are left unchanged: \(doubt); see `dayly audit`"
            )
        }
        guard !report.counts.isEmpty else { return }
        let counts = report.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        logger.warning(
            "bucket and database did not agree",
            metadata: [
                "found": "\(counts.joined(separator: ", "))", "unmended": "\(report.unmended)",
                "objects": "\(report.objects)",
            ])
    }
}
