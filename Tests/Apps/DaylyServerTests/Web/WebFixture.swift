import DaylyTesting
import Foundation

/// A web client of a few files.
enum WebFixture {
    static let shell = """
        <!doctype html>
        <html lang="{{language}}"><head><meta charset="utf-8"><meta name="dayly-config" content="{{config}}">
        <!-- head -->
        <script type="importmap">{{imports}}</script><script>{{early}}</script>
        <script type="module" src="/app/{{version}}/app/main.js"></script></head><body><main id="screen" data-path="{{path}}"><!-- screen --></main></body></html>
        """

    static let files = [
        "index.html": shell,
        "sw.js": """
        import { start } from "/app/{{version}}/store/start.js"
        start({ version: "{{version}}", precache: "{{precache}}" })
        """,
        "manifest.webmanifest": #"{"name": "Dayly"}"#,
        "icons/icon.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
        "app/early.js": "// Runs first.\n  fetch(\"/v1\")",
        "app/main.js": String(repeating: "export const answer = \"{{version}}\"\n", count: 40),
        "app/main.test.js": "// a test",
        "app/base.css": String(repeating: "body { margin: 0 }\n", count: 40),
        "store/start.js": "export const start = () => {}\n",
        "locales/en.json": #"{"welcome": "Welcome"}"#,
        "api/api.d.ts": "export interface User {}",
        "README.md": "# The web client",
        "deno.json": "{}",
        ".hidden/secret.js": "secret",
        "app/main.js~": "a backup",
    ]

    /// - Returns: the folder's path.
    static func write(
        _ files: [String: String] = files, in folder: TemporaryFolder, named name: String = "web"
    ) throws -> String {
        let root = folder.url.appendingPathComponent(name, isDirectory: true)
        for (path, text) in files {
            let file = root.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return root.path
    }
}
