import Crypto
import DaylyTesting
import Foundation
import HTTPKit
import Hummingbird
import HummingbirdTesting
import Testing

@testable import DaylyServer

@Suite("The files of a first page in one")
struct WebBundleTests {
    private static let files = [
        "first.js": "import \"./app/main.js\";",
        "app/main.js": """
        import { fetch } from "./fetch.js";
        import {
        join as joined,
        key,
        } from "../parts/text.js";
        import "../parts/side.js";
        export { key };
        export async function start() {
        await import("../screens/later.js");
        const both = [
        import("../screens/two.js"),
        ];
        return await import("./same.js");
        }
        """,
        "app/fetch.js": "export const fetch = new URL(`./x.json`, import.meta.url);",
        "parts/text.js":
            "import { fetch } from \"../app/fetch.js\";\nexport function join() {}\nexport class key {}",
        "parts/side.js": "globalThis.side = 1;",
    ]

    private static func bundle(_ changes: [String: String] = [:]) throws -> WebBundle {
        try WebBundle(files: files.merging(changes) { $1 }.mapValues { Array($0.utf8) })
    }

    @Test("each module comes after those that it imports, as a function that returns its exports")
    func joined() throws {
        let bundle = try Self.bundle()
        #expect(bundle.modules == ["app/fetch.js", "parts/text.js", "parts/side.js", "app/main.js"])
        #expect(
            String(decoding: bundle.text, as: UTF8.self) == """
                const $0 = (() => {
                const fetch = new URL(`./x.json`, new URL("./app/fetch.js", import.meta.url));
                return {fetch};
                })();
                const { fetch: $0fetch } = $0;
                export { $0fetch as fetch };
                const $1 = (() => {
                const { fetch } = $0;
                function join() {}
                class key {}
                return {join,key};
                })();
                const { join: $1join, key: $1key } = $1;
                export { $1join as join, $1key as key };
                const $2 = (() => {
                globalThis.side = 1;
                return {};
                })();
                const $3 = (() => {
                const { fetch } = $0;



                const { join: joined,key, } = $1;


                async function start() {
                await import("./screens/later.js");
                const both = [
                import("./screens/two.js"),
                ];
                return await import("./app/same.js");
                }
                return {start,key};
                })();
                const { start: $3start } = $3;
                export { $3start as start };
                //# sourceMappingURL=first.js.map
                """)
    }

    @Test("the source map names the module and the line of each line")
    func sourceMap() throws {
        guard case .object(let map) = try Self.bundle().sourceMap else {
            Issue.record("The map is not an object.")
            return
        }
        #expect(map["version"] == 3)
        #expect(map["sources"] == ["app/fetch.js", "parts/text.js", "parts/side.js", "app/main.js"])
        #expect(
            map["mappings"]
                == .string(
                    ";AAAA;;;;;;ACAA;AACA;AACA;;;;;;ACFA;;;;ACAA" + String(repeating: ";AACA", count: 13)))
    }

    private static let otherExport =
        "app/main.js exports something else than a function, a class or a constant"

    @Test(
        "a module that cannot be joined is named with the reason",
        arguments: [
            ("import \"./none.js\";", "app/none.js is imported by another module, but is not there"),
            ("export let a = 1;", otherExport),
            ("export const { a } = b;", otherExport),
            ("export default 1;", otherExport),
            ("import * as a from \"./fetch.js\";", "app/main.js has imports that are not names in braces"),
            ("import a from \"./fetch.js\";", "app/main.js has imports that are not names in braces"),
            ("export { fetch } from \"./fetch.js\";", "app/main.js has imports that are not names in braces"),
            ("import \"../first.js\";", "first.js imports itself by way of app/main.js"),
            ("export function join() {}", "app/main.js exports join, as parts/text.js does"),
        ])
    func refused(_ main: String, _ reason: String) throws {
        let error = #expect(throws: WebFolderError.self) {
            try Self.bundle(["app/main.js": "import { key } from \"../parts/text.js\";\n" + main])
        }
        #expect(error?.description.hasSuffix(reason) == true, "\(String(describing: error))")
    }

    @Test("the page's import map leads to the bundle, and the policy allows the map by its hash")
    func served() async throws {
        let folder = try TemporaryFolder()
        let own = [
            "first.css": "@import \"./a.css\";\n@import \"./parts/b.css\";\n", "a.css": "a {}",
            "parts/b.css": "b {}",
        ]
        let files = WebFixture.files.merging(Self.files) { $1 }.merging(own) { $1 }
        try await Fixture.serving(["DAYLY_WEB_PATH": try WebFixture.write(files, in: folder)]) { client, _ in
            let shell = try await client.execute(uri: "/", method: .get)
            let html = String(buffer: shell.body)
            let map = try #require(html.firstMatch(of: /"importmap">([^<]*)</)?.1)
            let version = try #require(html.firstMatch(of: /src="\/app\/([0-9a-f]+)\//)?.1)
            let imports = try JSONDecoder().decode([String: [String: String]].self, from: Data(map.utf8))[
                "imports"]
            let modules = try Self.bundle().modules
            #expect(
                imports
                    == Dictionary(
                        uniqueKeysWithValues: modules.map {
                            ("/app/\(version)/\($0)", "/app/\(version)/first.js")
                        }))
            let hash = Data(SHA256.hash(data: Data(map.utf8))).base64EncodedString()
            #expect(shell.headers[.contentSecurityPolicy]?.contains("'sha256-\(hash)'") == true)
            func text(_ path: String) async throws -> String {
                String(buffer: try await client.execute(uri: path, method: .get).body)
            }
            #expect(
                try await text("/app/\(version)/first.js")
                    == String(decoding: Self.bundle().text, as: UTF8.self))
            #expect(try await text("/app/\(version)/first.css") == "a {}\nb {}\n")
            #expect(try await text("/app/\(version)/first.js.map").contains("\"mappings\""))
            // For the time without a network it has the joined files, and not their parts once more.
            let worker = try await text("/sw.js")
            #expect(worker.contains("/first.js\"") && worker.contains("/first.css\""))
            for name in modules + ["a.css", "parts/b.css", "first.js.map"] {
                #expect(!worker.contains("/\(version)/\(name)\""))
            }
        }
        withExtendedLifetime(folder) {}
    }
}
