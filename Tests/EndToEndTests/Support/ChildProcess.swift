import DaylyTesting
import Foundation
import Glibc
import Synchronization

/// A program that runs beside the tests, its output in a file.
final class ChildProcess: Sendable {
    private let process: Process
    private let status: Mutex<Int32?>
    let output: URL

    /// - Parameter output: standard output and standard error, appended.
    init(_ executable: URL, _ arguments: [String], environment: [String: String], output: URL) throws {
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
            // A signal's number is made negative, so that it is no exit status.
            let status = ended.terminationReason == .exit ? ended.terminationStatus : -ended.terminationStatus
            self?.status.withLock { $0 = status }
        }
        try process.run()
        try file.close()
    }

    /// Nil while it runs; the negative number of the signal where one ended it.
    var exitStatus: Int32? { status.withLock { $0 } }

    var id: Int32 { process.processIdentifier }

    func signal(_ number: Int32) {
        if exitStatus == nil { kill(process.processIdentifier, number) }
    }

    func waitForExit(within limit: Duration) async throws -> Int32 {
        try await eventually("the end of \(process.arguments ?? [])", within: limit) { exitStatus }
    }

    func kill9() async throws {
        signal(SIGKILL)
        _ = try await waitForExit(within: .seconds(10))
    }
}

/// What a finished command left behind.
struct CommandResult: Sendable, CustomStringConvertible {
    let status: Int32
    let output: String

    var description: String { "exit status \(status):\n\(output)" }
}

/// The programs of this package, where the build put them: beside the test runner.
enum Programs {
    static func find(_ name: String) throws -> URL {
        let url = TestProducts.folder.appendingPathComponent(name)
        guard FileManager.default.isExecutableFile(atPath: url.path) else {
            throw TimedOut(description: "\(url.path) is not built; run scripts/test")
        }
        return url
    }

    /// A program of the machine.
    static func onPath(_ name: String) -> URL? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
