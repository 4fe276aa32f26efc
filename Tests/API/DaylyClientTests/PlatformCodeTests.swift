import Foundation
import Testing

/// Code of the SDK that only Apple's compilers see. Nothing here can run it.
@Suite("Code for Apple's platforms")
struct PlatformCodeTests {
    private static var condition: Regex<Substring> {
        #/\s*#if .*(?:canImport\((?:Security|ImageIO|UIKit)\)|os\((?:iOS|macOS)\)).*/#
    }

    private static func files() throws -> [(name: String, text: String)] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/API").standardized
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try names.filter { $0.hasSuffix(".swift") }.map { name in
            (name, try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8))
        }
    }

    /// The lines between such a condition and its `#else` or `#endif`.
    private static func lines(_ text: String) -> [Substring] {
        var (depth, inside, lines) = (0, false, [Substring]())
        for line in text.split(separator: "\n") {
            let word = line.drop { $0 == " " }
            if word.hasPrefix("#if") {
                if depth == 0 { inside = line.wholeMatch(of: condition) != nil }
                depth += 1
            } else if word.hasPrefix("#else"), depth == 1 {
                inside = false
            } else if word.hasPrefix("#endif") {
                depth -= 1
                if depth == 0 { inside = false }
            } else if inside {
                lines.append(line)
            }
        }
        return lines
    }

    @Test("it is less than 250 lines")
    func size() throws {
        let lines = try Self.files().flatMap { Self.lines($0.text) }
        #expect(lines.count > 100, "the Keychain and the uploads in the background are there")
        #expect(lines.count < 250)
    }

    @Test("the compiler can parse it")
    func syntax() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("parse-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in try Self.files() where !Self.lines(text).isEmpty {
            // As active code: what a condition leaves out is parsed less strictly.
            let active = text.split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.wholeMatch(of: Self.condition) == nil ? $0 : "#if true" }.joined(separator: "\n")
            let file = folder.appendingPathComponent((name as NSString).lastPathComponent)
            try active.write(to: file, atomically: true, encoding: .utf8)
            let compiler = Process()
            compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            compiler.arguments = ["swiftc", "-frontend", "-parse", "-swift-version", "6", file.path]
            try compiler.run()
            compiler.waitUntilExit()
            #expect(compiler.terminationStatus == 0, "\(name)")
        }
    }
}
