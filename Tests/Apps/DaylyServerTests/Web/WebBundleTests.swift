import Crypto
import DaylyTesting
import Foundation
import HTTPKit
import Hummingbird
import HummingbirdTesting
import Testing

@testable import DaylyServer

@Suite("A web client whose first page is joined")
struct WebBundleTests {
    private static let joined = ["app/fetch.js", "app/main.js"]
    private static let files = WebFixture.files.merging([
        "first.js": "export const fetch = 1;\n//# sourceMappingURL=first.js.map", "first.css": "a {}",
        "app/fetch.js": "export const fetch = 1;",
        "first.js.map": #"{"version":3,"sources":["app/fetch.js","app/main.js"],"mappings":""}"#,
        "screens/join/join.js":
            "import { fetch } from \"../../app/fetch.js\";\nimport \"../../parts/a.js\";\n",
        "parts/a.js": "import {\n  b,\n} from \"./b.js\";\n", "parts/b.js": "export const b = 1;",
    ]) { $1 }

    private static func serving(
        _ files: [String: String], _ body: @escaping @Sendable (any TestClientProtocol) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        try await Fixture.serving(["DAYLY_WEB_PATH": try WebFixture.write(files, in: folder)]) { client, _ in
            try await body(client)
        }
        withExtendedLifetime(folder) {}
    }

    /// Guard: the policy allows the import map by its hash (`WebHeaders`)
    @Test("the page's import map leads to the bundle, and the policy allows the map by its hash")
    func importMap() async throws {
        try await Self.serving(Self.files) { client in
            let shell = try await client.execute(uri: "/", method: .get)
            let html = String(buffer: shell.body)
            let map = try #require(html.firstMatch(of: /"importmap">([^<]*)</)?.1)
            let version = try #require(html.firstMatch(of: /src="\/app\/([0-9a-f]+)\//)?.1)
            let decoded = try JSONDecoder().decode([String: [String: String]].self, from: Data(map.utf8))
            let bundle = "/app/\(version)/first.js"
            #expect(
                decoded["imports"]
                    == Dictionary(uniqueKeysWithValues: Self.joined.map { ("/app/\(version)/\($0)", bundle) })
            )
            let hash = Data(SHA256.hash(data: Data(map.utf8))).base64EncodedString()
            #expect(shell.headers[.contentSecurityPolicy]?.contains("'sha256-\(hash)'") == true)
            // For the time without a network it has the bundle, and not its modules once more.
            let worker = String(buffer: try await client.execute(uri: "/sw.js", method: .get).body)
            #expect(worker.contains("/first.js\"") && worker.contains("/first.css\""))
            for name in Self.joined + ["first.js.map"] {
                #expect(!worker.contains("/\(version)/\(name)\""))
                #expect(try await client.execute(uri: "/app/\(version)/\(name)", method: .get).status == .ok)
            }
        }
    }

    @Test("the letter's page names the modules of the next screens that are not joined")
    func ahead() async throws {
        try await Self.serving(Self.files) { client in
            let html = String(buffer: try await client.execute(uri: "/i/ABC234", method: .get).body)
            let names = html.matches(of: /rel="modulepreload"[^>]* href="\/app\/[0-9a-f]+\/([^"]*)"/).map {
                String($0.1)
            }
            #expect(names.sorted() == ["parts/a.js", "parts/b.js", "screens/join/join.js"])
            // A module that is there before the import map would find its imports without it.
            let map = try #require(html.firstRange(of: "importmap"))
            let first = try #require(html.firstRange(of: "modulepreload"))
            #expect(map.lowerBound < first.lowerBound)
        }
    }

    @Test("a folder as it is edited has no bundle: the worker keeps each module, and the import map is empty")
    func edited() async throws {
        // A joined version has left its map behind.
        let edited = Self.files.merging(["first.js": "export const fetch = 1;"]) { $1 }
        try await Self.serving(edited) { client in
            let html = String(buffer: try await client.execute(uri: "/", method: .get).body)
            #expect(html.contains(#""importmap">{"imports":{}}<"#))
            let worker = String(buffer: try await client.execute(uri: "/sw.js", method: .get).body)
            for name in Self.joined + ["first.js"] { #expect(worker.contains("/\(name)\"")) }
        }
    }
}
