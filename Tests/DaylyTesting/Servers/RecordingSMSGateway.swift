import Messaging
import Synchronization

/// Accepts and records every message. `fail` makes it refuse for a while.
package final class RecordingSMSGateway: SMSGateway {
    private struct State {
        var messages: [SMSMessage] = []
        var failure: SMSGatewayError?
    }

    private let state = Mutex(State())

    package init() {}

    package func send(_ message: SMSMessage) async throws {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            state.messages.append(message)
        }
    }

    package func fail(with error: SMSGatewayError?) {
        state.withLock { $0.failure = error }
    }

    package var messages: [SMSMessage] { state.withLock { $0.messages } }

    /// Waits for the `count`-th message to this number, because the queue sends messages apart from the request.
    package func messages(
        to number: String, count: Int = 1, timeout: Duration = .seconds(5)
    ) async throws -> [SMSMessage] {
        try await eventually("message \(count) to \(number)", within: timeout, every: .milliseconds(5)) {
            let found = messages.filter { $0.to == number }
            return found.count >= count ? found : nil
        }
    }

    /// The code in the newest of `count` messages to this number.
    package func code(to number: String, count: Int = 1) async throws -> String {
        let body = try await messages(to: number, count: count).last?.body ?? ""
        let digits = body.prefix(while: { $0 != "\n" }).filter(\.isNumber)
        return String(digits)
    }

    /// Runs `body` with a queue of messages to this gateway.
    package func withQueue<Value>(
        capacity: Int = 1_000, _ body: (SMSQueue) async throws -> Value
    ) async throws -> Value {
        var configuration = SMSQueue.Configuration()
        configuration.capacity = capacity
        let queue = SMSQueue(gateway: self, configuration: configuration, logger: .silent)
        let delivery = capacity > 0 ? Task { try await queue.run() } : nil
        defer { delivery?.cancel() }
        return try await body(queue)
    }
}
