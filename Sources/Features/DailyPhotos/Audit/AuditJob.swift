import Logging
import Metrics

/// The audit that the service makes by itself, one instance at a time.
package struct AuditJob: Sendable {
    private let audit: PhotoAudit
    private let settings: AuditSettings
    private let interval: Duration
    private let logger: Logger

    /// - Parameter interval: between the end of one and the next, over all instances.
    package init(_ audit: PhotoAudit, _ settings: AuditSettings, every interval: Duration, logger: Logger) {
        self.audit = audit
        self.settings = settings
        self.interval = interval
        self.logger = logger
    }

    /// Runs where one is due, or where one was cut off; else only looks.
    package func runOnce() async throws {
        let schedule = try await audit.store.schedule()
        if let age = schedule.lastComplete {
            Gauge(label: "dayly_audit_last_complete_seconds").record(age.seconds)
        }
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
        tell(report)
    }

    /// Keys and ids name nobody.
    private func tell(_ report: AuditReport) {
        if let doubt = report.doubt {
            logger.error(
                "photos seem to be without their objects, and are left as they are: \(doubt); `dayly audit` tells more"
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
