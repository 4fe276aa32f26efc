import ArgumentParser
import Foundation

/// Writes a command's results to standard output, and its problems to standard error.
package enum Terminal {
    package static func print(_ text: String) {
        StandardStream.write(text + "\n", to: STDOUT_FILENO)
    }

    package static func warn(_ text: String) {
        StandardError.writeLine(text)
    }

    package static func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        encoder.keyEncodingStrategy = .convertToSnakeCase
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}

/// The exit status of the process.
package enum Status: Int32 {
    case done = 0
    case failed = 1
    case usedWrongly = 2
    case foundSomething = 3

    package var exitCode: ExitCode { ExitCode(rawValue) }
}
