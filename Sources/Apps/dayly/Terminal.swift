import ArgumentParser
import DaylyServer
import Foundation

/// What a command says: results to standard output, problems to standard error.
enum Terminal {
    static func print(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
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

    /// Says what went wrong and ends the process. Asking for help is not wrong; what the parser refuses is 2.
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

/// How the process ends.
enum Status: Int32 {
    case done = 0
    case failed = 1
    case usedWrongly = 2
    case foundSomething = 3

    var exitCode: ExitCode { ExitCode(rawValue) }
}

/// A line on standard error that is written over again; nothing where that is no terminal.
struct ProgressLine {
    private let isShown = isatty(STDERR_FILENO) == 1

    func show(_ text: String) {
        guard isShown else { return }
        FileHandle.standardError.write(Data("\r\u{1b}[K\(text)".utf8))
    }

    func clear() {
        show("")
    }
}
