import Foundation
import Postgres

/// Whether there is a recent backup, and none that is older than the journal of erasures. In development nobody needs one.
struct BackupChecks: Sendable {
    let configuration: ServerConfiguration

    func findings(_ client: PostgresClient) async throws -> [Finding] {
        guard configuration.environment == .production,
            let record = try await BackupStore(client: client).read()
        else { return [] }
        return Self.findings(
            record, maxAge: configuration.restore.maxBackupAge / .seconds(1),
            journalLifetime: configuration.restore.journalLifetime / .seconds(1))
    }

    /// - Parameters:
    ///   - maxAge: in seconds, as `journalLifetime` is.
    static func findings(
        _ record: BackupRecord, maxAge: TimeInterval, journalLifetime: TimeInterval
    ) -> [Finding] {
        let remedy =
            "Start dayly-backup.service, or dayly-pgbackrest.service, and read its log by journalctl."
        guard let finished = record.finished else {
            let isNew = record.now.timeIntervalSince(record.since) <= maxAge
            let message = "none was ever recorded"
            return [
                isNew
                    ? .warning("backup", message, remedy: enable)
                    : .problem("backup", message, remedy: enable)
            ]
        }
        var findings: [Finding] = []
        let age = record.now.timeIntervalSince(finished)
        findings.append(
            age > maxAge
                ? .problem("backup", "the last one is \(text(age)) old", remedy: remedy)
                : .ok("backup", "the last one is \(text(age)) old"))
        if let oldest = record.oldest, record.now.timeIntervalSince(oldest) > journalLifetime {
            let kept = record.now.timeIntervalSince(oldest)
            findings.append(
                .problem(
                    "backup",
                    "the oldest one is \(text(kept)) old, older than restore.journal_lifetime: to restore it would end "
                        + "all sessions and bring erased accounts back",
                    remedy:
                        "Delete it, and keep backups for a shorter time, or raise restore.journal_lifetime."))
        }
        return findings
    }

    private static let enable =
        "Enable the timer (systemctl enable --now dayly-backup.timer), or let your own tool record its backups."

    private static func text(_ seconds: TimeInterval) -> String {
        seconds < 48 * 3600 ? "\(Int(seconds / 3600)) hours" : "\(Int(seconds / 86_400)) days"
    }
}
