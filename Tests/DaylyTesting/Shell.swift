import Foundation

/// Runs Bash scripts in the repository's folder, off the cooperative pool.
package enum Shell {
    package struct Outcome: Sendable {
        package let status: Int32
        /// The script's standard output without leading and trailing white space.
        package let output: String
    }

    package static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    package static func run(_ script: String, environment: [String: String] = [:]) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try wait(for: script, environment) })
            }
        }
    }

    private static func wait(for script: String, _ environment: [String: String]) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", "set -euo pipefail; \(script)"]
        process.currentDirectoryURL = root
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: output, as: UTF8.self)
        return Outcome(
            status: process.terminationStatus, output: text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
