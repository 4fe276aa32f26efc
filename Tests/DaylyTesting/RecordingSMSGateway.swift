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
        let deadline = ContinuousClock.now.advanced(by: timeout)
        while true {
            let found = messages.filter { $0.to == number }
            if found.count >= count { return found }
            guard ContinuousClock.now < deadline else {
                throw NoSuchMessage(expected: count, found: found.count)
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// The code in the newest of `count` messages to this number.
    package func code(to number: String, count: Int = 1) async throws -> String {
        let body = try await messages(to: number, count: count).last?.body ?? ""
        let digits = body.prefix(while: { $0 != "\n" }).filter(\.isNumber)
        return String(digits)
    }
}

package struct NoSuchMessage: Error {
    package let expected: Int
    package let found: Int
}
