import DaylyTesting
import Foundation

extension Pictures {
    /// A HEIC, made with the encoder of Debian's libheif-examples.
    package static func heic(width: Int, height: Int, folder: URL) async throws -> [UInt8] {
        guard let encoder = Programs.onPath("heif-enc") else {
            throw TimedOut(description: "heif-enc is missing (Debian's libheif-examples); run scripts/test")
        }
        let source = folder.appendingPathComponent("source.png")
        let target = folder.appendingPathComponent("target.heic")
        try Data(png(width: width, height: height)).write(to: source)
        let process = try ChildProcess(
            encoder, ["-q", "60", "-o", target.path, source.path],
            environment: ProcessInfo.processInfo.environment,
            output: folder.appendingPathComponent("heif-enc.log"))
        guard try await process.waitForExit(within: .seconds(60)) == 0 else {
            throw TimedOut(description: "heif-enc failed")
        }
        return [UInt8](try Data(contentsOf: target))
    }
}
