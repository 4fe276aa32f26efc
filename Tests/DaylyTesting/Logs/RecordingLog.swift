import Logging
import Synchronization

/// Keeps every log line with its metadata.
package final class RecordingLog: Sendable {
    private let recorded = Mutex<[String]>([])

    package init() {}

    package var lines: [String] { recorded.withLock { $0 } }

    package var logger: Logger {
        var logger = Logger(label: "test") { _ in Handler(log: self) }
        logger.logLevel = .trace
        return logger
    }

    private struct Handler: LogHandler {
        let log: RecordingLog
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { _, own in own }
            let fields = all.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
            log.recorded.withLock { $0.append("\(event.level) \(event.message) \(fields)") }
        }
    }
}
