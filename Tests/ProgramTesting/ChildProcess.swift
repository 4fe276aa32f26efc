import DaylyTesting
import Foundation
import Glibc
import Synchronization

/// A program that runs beside the tests and writes its output into a file.
package final class ChildProcess: Sendable {
    private let process: Process
    private let status: Mutex<Int32?>
    package let output: URL

    /// - Parameter output: standard output and standard error, appended.
    package init(_ executable: URL, _ arguments: [String], environment: [String: String], output: URL) throws
    {
        process = Process()
        status = Mutex(nil)
        self.output = output
        if !FileManager.default.fileExists(atPath: output.path) {
            try Data().write(to: output)
        }
        let file = try FileHandle(forWritingTo: output)
        try file.seekToEnd()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = file
        process.standardError = file
        process.terminationHandler = { [weak self] ended in
            // The number of a signal is negated, so that it differs from every exit status.
            let status = ended.terminationReason == .exit ? ended.terminationStatus : -ended.terminationStatus
            self?.status.withLock { $0 = status }
        }
        try process.run()
        try file.close()
    }

    /// The exit status, or the negated number of the signal that ended the program; nil while it runs.
    package var exitStatus: Int32? { status.withLock { $0 } }

    package var id: Int32 { process.processIdentifier }

    /// Whether a signal is caught by now, and so does not end the program by itself. One that is only held back may do so
    /// yet: a program begins with the mask of the thread that started it.
    package func catches(_ number: Int32) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
        let caught = status?.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
        let mask = UInt64(caught?.split(separator: "\t").last ?? "", radix: 16) ?? 0
        return mask & 1 << UInt64(number - 1) != 0
    }

    package func signal(_ number: Int32) {
        if exitStatus == nil { kill(process.processIdentifier, number) }
    }

    package func waitForExit(within limit: Duration) async throws -> Int32 {
        try await eventually("the end of \(process.arguments ?? [])", within: limit) { exitStatus }
    }

    package func kill9() async throws {
        signal(SIGKILL)
        _ = try await waitForExit(within: .seconds(10))
    }
}

/// The result of a finished command.
package struct CommandResult: Sendable, CustomStringConvertible {
    package let status: Int32
    package let output: String

    package init(status: Int32, output: String) {
        self.status = status
        self.output = output
    }

    package var description: String { "exit status \(status):\n\(output)" }
}

/// The paths of this package's programs, which the build puts beside the test runner.
package enum Programs {
    package static func find(_ name: String) throws -> URL {
        let url = TestProducts.folder.appendingPathComponent(name)
        guard FileManager.default.isExecutableFile(atPath: url.path) else {
            throw TimedOut(description: "\(url.path) is not built; run scripts/test")
        }
        return url
    }

    /// This process's environment without the settings of a service in it, and with these.
    package static func environment(_ settings: [String: String]) -> [String: String] {
        ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("DAYLY_") }
            .merging(variables(settings)) { $1 }
    }

    /// The variables of settings.
    package static func variables(_ settings: [String: String]) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: settings.map { key, value in
                ("DAYLY_" + key.uppercased().replacing(".", with: "_"), value)
            })
    }

    /// A program of the machine.
    package static func onPath(_ name: String) -> URL? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
