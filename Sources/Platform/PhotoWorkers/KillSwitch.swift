import CProcess
import Synchronization

/// Ends one worker from outside, at any time: before it started, while it runs, after it ended.
final class KillSwitch: Sendable {
    private struct State {
        var process: pid_t?
        var pulled = false
    }

    private let state = Mutex(State())

    var isPulled: Bool { state.withLock { $0.pulled } }

    /// Kills the process that runs, or the one that is about to.
    func pull() {
        state.withLock { state in
            state.pulled = true
            if let process = state.process { process_kill(process) }
        }
    }

    /// The process that the switch is for; until `reap` its id cannot be anybody else's.
    func watch(_ process: pid_t) {
        state.withLock { state in
            state.process = process
            if state.pulled { process_kill(process) }
        }
    }

    /// Collects a process that ended or was killed.
    func reap(_ process: pid_t) -> process_end {
        state.withLock { state in
            state.process = nil
            var end = process_end()
            if process_reap(process, &end) < 0 { end.exit_code = -1 }
            return end
        }
    }
}
