import CProcess
import Synchronization

/// Kills one worker from another thread. It may be used at any time: before the worker starts, while it runs and after it
/// ends.
final class KillSwitch: Sendable {
    private struct State {
        var process: pid_t?
        var pulled = false
    }

    private let state = Mutex(State())

    var isPulled: Bool { state.withLock { $0.pulled } }

    /// Kills the running process, or the one that starts next.
    func pull() {
        state.withLock { state in
            state.pulled = true
            if let process = state.process { process_kill(process) }
        }
    }

    /// Sets the process that the switch kills. The system cannot reuse its id before `reap`.
    func watch(_ process: pid_t) {
        state.withLock { state in
            state.process = process
            if state.pulled { process_kill(process) }
        }
    }

    /// Collects the process after its end.
    func reap(_ process: pid_t) -> process_end {
        state.withLock { state in
            state.process = nil
            var end = process_end()
            if process_reap(process, &end) < 0 { end.exit_code = -1 }
            return end
        }
    }
}
