import DaylyTesting
import Foundation
import Testing

/// The package as the author of an app gets it.
@Suite("A package that uses DaylyClient")
struct ConsumerTests {
    private static let manifest = """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "app", platforms: [.macOS(.v15), .iOS(.v16)],
            dependencies: [.package(url: "file://CLONE", exact: "1.0.0", traits: [])],
            targets: [
                .executableTarget(
                    name: "app",
                    dependencies: [
                        .product(name: "DaylyClient", package: "clone"),
                        .product(name: "DaylyClientTesting", package: "clone"),
                    ])
            ])
        """

    private static let program = """
        import DaylyAPI
        import DaylyClient
        import DaylyClientTesting

        @main
        struct App {
            static func main() async throws {
                for group in try await Dayly.preview.groups.list() { print(group.name) }
            }
        }
        """

    @Test("it resolves no other package, builds without the server and runs", .timeLimit(.minutes(10)))
    func consumer() async throws {
        try await withTemporaryFolder { folder in
            let app = folder.appendingPathComponent("app")
            let sources = app.appendingPathComponent("Sources/app")
            try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
            let clone = folder.appendingPathComponent("clone").path
            try Self.manifest.replacing("CLONE", with: clone)
                .write(to: app.appendingPathComponent("Package.swift"), atomically: true, encoding: .utf8)
            try Self.program.write(
                to: sources.appendingPathComponent("App.swift"), atomically: true, encoding: .utf8)
            let built = try await Shell.run(
                """
                git clone --quiet --no-local "$PWD" "$CLONE" && git -C "$CLONE" tag 1.0.0
                cd "$APP" && swift build 2>&1 && echo "It says: $(swift run --skip-build app | tr '\\n' ' ')"
                """, environment: ["CLONE": clone, "APP": app.path])
            #expect(
                built.status == 0 && built.output.hasSuffix("It says: Breakfast Family"), "\(built.output)")
            #expect(!built.output.contains("CPostgres"), "nothing of the server is built")
            let resolved = try String(
                contentsOf: app.appendingPathComponent("Package.resolved"), encoding: .utf8)
            #expect(resolved.components(separatedBy: "\"identity\"").count == 2, "\(resolved)")
        }
    }
}
