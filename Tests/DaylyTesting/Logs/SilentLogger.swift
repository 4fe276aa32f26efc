import Logging

extension Logger {
    /// Drops every record.
    package static let silent = Logger(label: "silent", factory: { _ in SwiftLogNoOpLogHandler() })
}
