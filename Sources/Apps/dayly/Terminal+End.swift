import ArgumentParser
import CommandKit
import DaylyServer
import Foundation

extension Terminal {
    /// Prints the error and ends the process: with 0 for a request for help, with 2 for arguments that the parser refuses.
    static func end(with error: any Error) -> Never {
        let code = DaylyCommand.exitCode(for: error)
        switch code {
        case .success:
            print(DaylyCommand.fullMessage(for: error))
            Foundation.exit(Status.done.rawValue)
        case .validationFailure:
            warn(DaylyCommand.fullMessage(for: error))
            Foundation.exit(Status.usedWrongly.rawValue)
        default:
            if !(error is ExitCode) { warn("dayly: \(FailureText.of(error))") }
            Foundation.exit(error is ExitCode ? code.rawValue : Status.failed.rawValue)
        }
    }
}

/// A line on standard error that each call overwrites. It writes nothing if standard error is not a terminal.
struct ProgressLine {
    private let isShown = isatty(STDERR_FILENO) == 1

    func show(_ text: String) {
        guard isShown else { return }
        StandardStream.write("\r\u{1b}[K\(text)", to: STDERR_FILENO)
    }

    func clear() {
        show("")
    }
}
