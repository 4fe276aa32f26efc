import Foundation
import Testing

/// The independent parser: Debian's ExifTool, which scripts/test installs.
enum ExifTool {
    /// Runs ExifTool and returns its output.
    static func run(_ arguments: [String], in folder: String) async throws -> Data {
        try await output(of: "/usr/bin/exiftool", arguments, in: folder)
    }

    /// Writes tags into files, each into a copy of the named file in `folder`.
    static func write(
        _ copies: [(copy: String, of: String, tags: [String])], in folder: String
    ) async throws {
        let lines = copies.flatMap { $0.tags + ["-o", $0.copy, $0.of, "-execute"] }
        try lines.joined(separator: "\n").write(
            toFile: "\(folder)/arguments", atomically: false, encoding: .utf8)
        _ = try await run(["-@", "arguments"], in: folder)
    }

    /// The tags that it finds in files, by file name: their names with their groups.
    static func tags(of files: [String], in folder: String) async throws -> [String: Set<String>] {
        let printed = try await run(["-a", "-G1", "-j", "-u", "-ee"] + files, in: folder)
        let found = try #require(JSONSerialization.jsonObject(with: printed) as? [[String: Any]])
        return Dictionary(
            uniqueKeysWithValues: found.map { ($0["SourceFile"] as? String ?? "", Set($0.keys)) })
    }
}

/// The output of a program.
func output(of program: String, _ arguments: [String], in folder: String) async throws -> Data {
    let path = "\(folder)/output-\(UUID().uuidString)"
    try Data().write(to: URL(fileURLWithPath: path))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    process.standardError = FileHandle.nullDevice
    try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
        process.terminationHandler = { _ in ended.resume() }
        do { try process.run() } catch {
            process.terminationHandler = nil
            ended.resume(throwing: error)
        }
    }
    return try Data(contentsOf: URL(fileURLWithPath: path))
}

func save(_ bytes: [UInt8], as path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
}

/// Removes a folder and its contents.
func remove(_ folder: String) {
    try? FileManager.default.removeItem(atPath: folder)
}
