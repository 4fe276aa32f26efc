import Logging

/// Writes messages to the log instead of sending them; for development. No other code writes a readable code.
package struct ConsoleSMSGateway: SMSGateway {
    private let logger: Logger

    package init(logger: Logger) {
        self.logger = logger
    }

    package func send(_ message: SMSMessage) async throws {
        let body = message.body.split(separator: "\n").joined(separator: " / ")
        logger.notice("SMS to \(message.to): \(body)")
    }
}
