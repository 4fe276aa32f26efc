import Foundation
import Push
import Synchronization

/// Records every message, and accepts it or answers as a test asks.
package final class RecordingPushGateway: PushGateway {
    package typealias Script = @Sendable (PushMessage, DeviceToken) async -> PushOutcome

    private struct State {
        var sent: [(message: PushMessage, token: DeviceToken)] = []
        var script: Script = { _, _ in .accepted }
    }

    package let name = "recording"
    private let state = Mutex(State())

    package init() {}

    package func answer(_ script: @escaping Script) {
        state.withLock { $0.script = script }
    }

    /// All messages sent, whatever the answer.
    package var sent: [(message: PushMessage, token: DeviceToken)] { state.withLock { $0.sent } }

    package var tokens: [String] { sent.map(\.token.text) }

    package func send(_ message: PushMessage, to token: DeviceToken) async -> PushOutcome {
        let script = state.withLock { state in
            state.sent.append((message, token))
            return state.script
        }
        return await script(message, token)
    }
}
