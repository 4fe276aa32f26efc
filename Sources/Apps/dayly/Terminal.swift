import ArgumentParser
import DaylyServer
import Foundation

/// Writes a command's results to standard output, and its problems to standard error.
enum Terminal {
    static func print(_ text: String) {
        StandardStream.write(text + "\n", to: STDOUT_FILENO)
    }

    static func warn(_ text: String) {
        StandardError.writeLine(text)
    }

    static func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        encoder.keyEncodingStrategy = .convertToSnakeCase
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

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

/// The exit status of the process.
enum Status: Int32 {
    case done = 0
    case failed = 1
    case usedWrongly = 2
    case foundSomething = 3

    var exitCode: ExitCode { ExitCode(rawValue) }
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
