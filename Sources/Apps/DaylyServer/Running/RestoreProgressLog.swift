import Logging
import Restoration
import Synchronization

/// Logs the progress of a restore every ten seconds, for a service that does not serve yet.
final class RestoreProgressLog: Sendable {
    private static let pause: Duration = .seconds(10)

    private let logger: Logger
    private let dueAt = Mutex(ContinuousClock.now + pause)

    init(_ logger: Logger) {
        self.logger = logger
    }

    func note(_ progress: RestoreProgress) {
        let isDue = dueAt.withLock { dueAt in
            guard dueAt <= .now else { return false }
            dueAt = .now + Self.pause
            return true
        }
        guard isDue else { return }
        logger.info(
            "restoring: erased data is erased again",
            metadata: [
                "part": "\(progress.part)", "rows": "\(progress.rows)", "changed": "\(progress.changed)",
            ])
    }
}
