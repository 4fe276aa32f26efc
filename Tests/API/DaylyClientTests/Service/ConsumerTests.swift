import DaylyTesting
import Foundation
import Testing

/// The package as the author of an app gets it.
@Suite("A package that uses DaylyClient")
struct ConsumerTests {
    /// The libraries for apps that have articles.
    private static let libraries: [(name: String, articles: String)] = {
        let products = (try? FileManager.default.contentsOfDirectory(atPath: "Sources/Products")) ?? []
        let all =
            [("DaylyClient", "Sources/API/DaylyClient/DaylyClient.docc")]
            + products.sorted().map { ("\($0)Client", "Sources/Products/\($0)/Client/\($0)Client.docc") }
        return all.filter { FileManager.default.fileExists(atPath: $0.1) }
    }()

    private static let manifest = """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "app", platforms: [.macOS(.v15), .iOS(.v16)],
            dependencies: [.package(url: "file://CLONE", exact: "1.0.0", traits: [])],
            targets: [
                .executableTarget(
                    name: "app",
                    dependencies: [LIBRARIES].map { .product(name: $0, package: "clone") })
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

    /// The articles' examples stand in an app that has this. The Keychain is Apple's.
    private static let surroundings = """
        import DaylyClientTesting
        import Foundation

        func show(_ anything: Any?) {}
        func show(groupsOf user: User) {}
        func showWelcome() {}
        func fetchEverything() async {}
        func fetchGroups() async {}
        func remove(_ photo: ResourceID) {}
        func KeychainTokenStore(accessGroup: String = "") -> any TokenStore { MemoryTokenStore() }

        """

    /// A function for each article, with its examples one after the other. Manifests and SwiftUI's previews are left out.
    private static func examples() throws -> String {
        let files = try libraries.flatMap { library in
            try FileManager.default.contentsOfDirectory(atPath: library.articles)
                .filter { $0.hasSuffix(".md") }.sorted().map { "\(library.articles)/\($0)" }
        }
        let imports = libraries.map { "import \($0.name)\nimport \($0.name.dropLast(6))API\n" }.joined()
        return try files.reduce(into: imports + surroundings) { program, file in
            let name = URL(fileURLWithPath: file).lastPathComponent
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let blocks = text.matches(of: /```swift\n([^`]*)```/).map { String($0.1) }
            let code = blocks.filter { !$0.contains(/\.package\(|#Preview/) }.joined(separator: "\n")
            program += """
                func example\(name.dropLast(3))(
                    dayly: Dayly, url: URL, jpeg: Data, groupContainer: URL
                ) async throws {
                \(code.replacing(#/import \w+\n/#, with: ""))
                }

                """
        }
    }

    /// Clones the repository, tags it, builds and runs the app, and builds the documentation from the same modules.
    private static let script = """
        git clone --quiet --no-local "$PWD" "$FOLDER/clone" && git -C "$FOLDER/clone" tag 1.0.0
        cd "$FOLDER/app" && mkdir ../graphs
        swift build -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc "$FOLDER/graphs" 2>&1
        echo "It says: $(swift run --skip-build app | tr '\\n' ' ')"
        for articles in $ARTICLES; do
            name=$(basename "$articles" .docc)
            mkdir "../$name" && mv "../graphs/$name.symbols.json" "../$name"
            mv "../graphs/$name"@*.json "../$name" 2>/dev/null
            docc convert "../clone/$articles" --additional-symbol-graph-dir "../$name" \\
                --fallback-display-name "$name" --fallback-bundle-identifier "dayly.$name" \\
                --output-path "../documentation-$name" --warnings-as-errors 2>&1 || exit 1
        done
        echo "Documented"
        """

    @Test(
        """
        it resolves no other package, builds without the server and runs, and so do the articles' examples, whose \
        documentation has no fault
        """,
        .timeLimit(.minutes(10)))
    func consumer() async throws {
        try await withTemporaryFolder { folder in
            let app = folder.appendingPathComponent("app")
            let sources = app.appendingPathComponent("Sources/app")
            try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
            let names = Self.libraries.flatMap { ["\"\($0.name)\"", "\"\($0.name)Testing\""] }
            try Self.manifest.replacing("CLONE", with: "\(folder.path)/clone")
                .replacing("LIBRARIES", with: names.joined(separator: ", "))
                .write(to: app.appendingPathComponent("Package.swift"), atomically: true, encoding: .utf8)
            try Self.program.write(
                to: sources.appendingPathComponent("App.swift"), atomically: true, encoding: .utf8)
            let examples = try Self.examples()
            #expect(examples.components(separatedBy: "dayly.").count > 8, "\(examples)")
            try examples.write(
                to: sources.appendingPathComponent("Articles.swift"), atomically: true, encoding: .utf8)
            let built = try await Shell.run(
                Self.script,
                environment: [
                    "FOLDER": folder.path, "ARTICLES": Self.libraries.map(\.articles).joined(separator: " "),
                ])
            #expect(
                built.status == 0 && built.output.contains("It says: Breakfast Family"), "\(built.output)")
            #expect(built.output.hasSuffix("Documented"))
            #expect(!built.output.contains("CPostgres"), "nothing of the server is built")
            let file = app.appendingPathComponent("Package.resolved")
            let resolved = try String(contentsOf: file, encoding: .utf8)
            #expect(resolved.components(separatedBy: "\"identity\"").count == 2, "\(resolved)")
        }
    }
}
