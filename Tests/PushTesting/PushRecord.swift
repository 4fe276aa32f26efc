import DaylyTesting
import Foundation
import Synchronization

/// A message as the provider received it.
package struct ReceivedPush: Sendable {
    /// The device's token.
    package let token: String
    package let headers: [String: String]
    package let body: Data
    package let receivedAt: ContinuousClock.Instant
    /// Equal for messages that came over the same connection.
    package let connection: ObjectIdentifier

    package var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: body) as? [String: Any]) ?? [:]
    }

    package var text: String { String(decoding: body, as: UTF8.self) }
}

/// The answer that a fake provider gives.
package enum PushAnswer: Sendable {
    case accept
    /// - Parameter details: FCM's details, as JSON.
    case refuse(
        Int, reason: String, timestamp: Date? = nil, retryAfter: String? = nil, details: String = "[]")
    /// No answer before the test ends.
    case hang
    /// Cuts the connection off.
    case close
}

/// The messages of a fake provider, their faults, and its answers.
package final class PushRecord: Sendable {
    package typealias Script = @Sendable (ReceivedPush) -> PushAnswer

    private struct State {
        var pushes: [ReceivedPush] = []
        var accepted: [ReceivedPush] = []
        var violations: [String] = []
        var script: Script = { _ in .accept }
    }

    private let state = Mutex(State())

    /// All messages sent, whatever the answer.
    package var pushes: [ReceivedPush] { state.withLock { $0.pushes } }
    /// The messages that a device would show.
    package var accepted: [ReceivedPush] { state.withLock { $0.accepted } }
    /// Faults for which a real provider would refuse the message. Empty in every test about other things.
    package var violations: [String] { state.withLock { $0.violations } }

    package func answer(_ script: @escaping Script) {
        state.withLock { $0.script = script }
    }

    func note(_ push: ReceivedPush) -> PushAnswer {
        let script = state.withLock { state in
            state.pushes.append(push)
            return state.script
        }
        let answer = script(push)
        if case .accept = answer { state.withLock { $0.accepted.append(push) } }
        return answer
    }

    func note(violations: [String]) {
        state.withLock { $0.violations += violations }
    }

    /// Waits until `count` messages have been accepted.
    package func accepted(
        atLeast count: Int, within limit: Duration = .seconds(15)
    ) async throws -> [ReceivedPush] {
        try await wait(for: count, within: limit) { self.accepted }
    }

    /// Waits until `count` messages have been sent, whatever the answers.
    package func pushes(
        atLeast count: Int, within limit: Duration = .seconds(15)
    ) async throws -> [ReceivedPush] {
        try await wait(for: count, within: limit) { self.pushes }
    }

    private func wait(
        for count: Int, within limit: Duration, _ read: () -> [ReceivedPush]
    ) async throws -> [ReceivedPush] {
        try await eventually("push \(count)", within: limit) {
            let found = read()
            return found.count >= count ? found : nil
        }
    }
}
