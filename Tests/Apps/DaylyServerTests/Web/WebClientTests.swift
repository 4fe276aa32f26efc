import Crypto
import DaylyTesting
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Settings
import Testing

@testable import DaylyServer

@Suite("The web client")
struct WebClientTests {
    private let navigation: HTTPFields = [.accept: "text/html,application/xhtml+xml,*/*;q=0.8"]

    /// Guard: only the shell and the worker are templates, and the facts are escaped for an attribute
    /// (`WebTemplate`)
    @Test("the shell names the files of its version, and each of them is there")
    func shell() async throws {
        try await Fixture.serving { client, _ in
            let shell = try await client.execute(uri: "/", method: .get)
            #expect(shell.status == .ok)
            #expect(shell.headers[.contentType] == "text/html; charset=utf-8")
            #expect(shell.headers[.cacheControl] == "no-cache")
            let version = try Self.version(in: shell)
            #expect(version.count == 16)
            let module = try await client.execute(uri: "/app/\(version)/app/main.js", method: .get)
            #expect(module.status == .ok)
            #expect(module.headers[.contentType] == "text/javascript; charset=utf-8")
            #expect(module.headers[.cacheControl] == "public, max-age=31536000, immutable")
            // Only the shell and the worker are templates.
            #expect(String(buffer: module.body) == WebFixture.files["app/main.js"])
        }
    }

    @Test("the shell of a version can be kept for ever, with the policy of the shell")
    func versionedShell() async throws {
        try await Fixture.serving { client, _ in
            let shell = try await client.execute(uri: "/", method: .get)
            let version = try Self.version(in: shell)
            let kept = try await client.execute(uri: "/app/\(version)/index.html", method: .get)
            #expect(kept.body == shell.body)
            #expect(kept.headers[.contentSecurityPolicy] == shell.headers[.contentSecurityPolicy])
            #expect(kept.headers[.cacheControl]?.contains("immutable") == true)
        }
    }

    /// Guard: a worker of the web client runs under the policy of the page (`WebClient` (`workersFolder`))
    @Test("each worker's file has the policy of the shell, by which it runs")
    func workerPolicy() async throws {
        let folder = try TemporaryFolder()
        let files = WebFixture.files.merging(["worker/preparing.js": "postMessage(1)"]) { $1 }
        try await Fixture.serving(["DAYLY_WEB_PATH": try WebFixture.write(files, in: folder)]) { client, _ in
            let shell = try await client.execute(uri: "/", method: .get)
            let policy = try #require(shell.headers[.contentSecurityPolicy])
            let version = try Self.version(in: shell)
            let worker = try await client.execute(uri: "/app/\(version)/worker/preparing.js", method: .get)
            #expect(worker.headers[.contentSecurityPolicy] == policy)
            #expect(worker.headers[.cacheControl]?.contains("immutable") == true)
            let module = try await client.execute(uri: "/app/\(version)/store/start.js", method: .get)
            #expect(module.status == .ok && module.headers[.contentSecurityPolicy] == nil)
        }
        withExtendedLifetime(folder) {}
    }

    @Test("the worker gets its version and the complete list of its files, and nothing that is not one")
    func worker() async throws {
        try await Fixture.serving { client, _ in
            let version = try Self.version(in: try await client.execute(uri: "/", method: .get))
            let worker = try await client.execute(uri: "/sw.js", method: .get)
            #expect(worker.headers[.cacheControl] == "no-cache")
            #expect(worker.headers[.contentSecurityPolicy]?.contains("connect-src 'self'") == true)
            let list = [
                "app/base.css", "app/main.js", "index.html", "locales/en.json", "store/start.js",
            ].map { "\"/app/\(version)/\($0)\"" }.joined(separator: ",")
            #expect(
                String(buffer: worker.body) == """
                    import { start } from "/app/\(version)/store/start.js"
                    start({ version: "\(version)", precache: [\(list)] })
                    """)
        }
    }

    /// Guard: documents, tests, types and the configuration of tools are not part of the web client
    /// (`WebFolder.isPartOfClient`)
    @Test(
        "documents, tests, types, hidden files and the configuration of tools are not served",
        arguments: [
            "README.md", "deno.json", "api/api.d.ts", "app/main.test.js", ".hidden/secret.js", "sw.js",
            "app/main.js~", "icons/icon.svg", "../web/index.html", "app/../index.html", "app",
        ])
    func unserved(_ path: String) async throws {
        try await Fixture.serving { client, _ in
            let version = try Self.version(in: try await client.execute(uri: "/", method: .get))
            let answer = try await client.execute(
                uri: "/app/\(version)/\(path)", method: .get, headers: [.accept: "text/html"])
            #expect(answer.status == .notFound)
        }
    }

    /// Guard: another version's file, a missing file and a path of the server never get the shell
    /// (`WebRoutes`, `ClientRouteMiddleware`)
    @Test(
        "a missing file and a file of another version are not found, and never the shell",
        arguments: [
            "/app/0123456789abcdef/app/main.js", "/app/0123456789abcdef/app/main", "/app", "/icons/none.png",
            "/icons/none", "/favicon.ico", "/g/main.js", "/main.css",
        ])
    func missing(_ path: String) async throws {
        let navigation = navigation
        try await Fixture.serving { client, _ in
            let answer = try await client.execute(uri: path, method: .get, headers: navigation)
            #expect(answer.status == .notFound)
            #expect(answer.headers[.contentType] == "application/problem+json")
        }
    }

    @Test(
        "a navigation to a route of the client gets the shell",
        arguments: [
            "/groups", "/g/0198a6e0-0000-7000-8000-000000000001", "/settings/devices", "/join/ABC234",
        ])
    func clientRoutes(_ path: String) async throws {
        let navigation = navigation
        try await Fixture.serving { client, _ in
            let shell = try await client.execute(uri: "/", method: .get)
            let page = try await client.execute(uri: path, method: .get, headers: navigation)
            #expect(page.status == .ok && page.body == shell.body)
            let head = try await client.execute(uri: path, method: .head, headers: navigation)
            #expect(head.status == .ok && head.body.readableBytes == 0)
            let other = try await client.execute(uri: path, method: .get, headers: [.accept: "*/*"])
            #expect(other.status == .notFound, "not a navigation")
            let post = try await client.execute(uri: path, method: .post, headers: navigation)
            #expect(post.status == .notFound)
        }
    }

    /// Guard: another version's file, a missing file and a path of the server never get the shell
    /// (`WebRoutes`, `ClientRouteMiddleware`)
    @Test(
        "a path of the server keeps its answer in a browser's address bar",
        arguments: [
            ("/v1/nothing", 404), ("/v1", 404), ("/v1/groups", 401), ("/v1/auth/verify", 405),
            ("/problems/nonsense", 404), ("/problems", 404), ("/files", 404), ("/metrics", 404),
            ("/healthz/more", 404), ("/.well-known/change-password", 404), ("/i", 404), ("/groups/", 404),
        ])
    func reserved(_ path: String, _ status: Int) async throws {
        let navigation = navigation
        try await Fixture.serving { client, _ in
            let answer = try await client.execute(uri: path, method: .get, headers: navigation)
            #expect(answer.status.code == status)
        }
    }

    @Test("the shell may run its own script and load only its own files, and take only the camera and codes")
    func confinement() async throws {
        try await Fixture.serving { client, _ in
            let shell = try await client.execute(uri: "/", method: .get)
            let headers = shell.headers
            let html = String(buffer: shell.body)
            let early = try #require(html.firstMatch(of: /<script>([^<]*)<\/script>/)?.1)
            #expect(String(early) == WebFixture.files["app/early.js"])
            let map = try #require(html.firstMatch(of: /importmap">([^<]*)<\/script>/)?.1)
            let hashes = [early, map].map { Data(SHA256.hash(data: Data($0.utf8))).base64EncodedString() }
            #expect(
                headers[.contentSecurityPolicy] == """
                    default-src 'none'; script-src 'self' 'sha256-\(hashes[0])' 'sha256-\(hashes[1])'; \
                    style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; \
                    form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
                    trusted-types dayly
                    """)
            #expect(headers[.crossOriginOpenerPolicy] == "same-origin")
            #expect(headers[.crossOriginResourcePolicy] == "same-origin")
            #expect(headers[.referrerPolicy] == "no-referrer")
            #expect(headers[.contentTypeOptions] == "nosniff")
            let permissions = try #require(headers[.permissionsPolicy])
            #expect(permissions.hasPrefix("camera=(self), otp-credentials=(self), "))
            #expect(permissions.contains("geolocation=()"))
        }
    }

    @Test("pictures of a bucket at another origin may be fetched, and nothing else from there")
    func bucketOrigin() async throws {
        let bucket = [
            "DAYLY_STORAGE_KIND": "s3", "DAYLY_STORAGE_S3_ENDPOINT": "http://127.0.0.1:1",
            "DAYLY_STORAGE_S3_PUBLIC_ENDPOINT": "https://pictures.example:8443",
            "DAYLY_STORAGE_S3_BUCKET": "dayly", "DAYLY_STORAGE_S3_ACCESS_KEY_ID": "id",
            "DAYLY_STORAGE_S3_SECRET_ACCESS_KEY": "secret",
        ]
        try await Fixture.serving(bucket) { client, _ in
            let policy = try await client.execute(uri: "/", method: .get).headers[.contentSecurityPolicy]
            #expect(policy?.contains("connect-src 'self' https://pictures.example:8443;") == true)
            #expect(policy?.matches(of: /pictures/).count == 1)
        }
    }

    /// Guard: only the shell and the worker are templates, and the facts are escaped for an attribute
    /// (`WebTemplate`)
    @Test("the shell carries the facts of the deployment, escaped for an attribute")
    func facts() async throws {
        let links = ["DAYLY_LINKS_PRIVACY": "https://dayly.example/privacy?a=1&b=\"'<x>"]
        try await Fixture.serving(links) { client, _ in
            let html = String(buffer: try await client.execute(uri: "/", method: .get).body)
            let content = try #require(html.firstMatch(of: /content="([^"]*)"/)?.1)
            let json = content.replacing("&quot;", with: "\"").replacing("&#39;", with: "'")
                .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
            let facts = try JSONDecoder().decode(Facts.self, from: Data(json.utf8))
            #expect(html.contains("/app/\(facts.version)/"))
            #expect(facts.development)
            #expect(
                facts.limits == ["groups_per_user": 5, "members_per_group": 12, "upload_bytes": 10_485_760])
            #expect(facts.photoLifetime == 172_800)
            #expect(facts.links["privacy"] == "https://dayly.example/privacy?a=1&b=\"'<x>")
            #expect(facts.links.keys.sorted() == ["app_store", "download", "play_store", "privacy", "terms"])
            #expect(facts.links["terms"] == .some(nil))
        }
    }

    /// Guard: a compressed file has a tag of its own, and is not sent to a client that refuses gzip
    /// (`WebAsset`)
    @Test("text is compressed for clients that take gzip, and each form has a tag of its own")
    func compression() async throws {
        try await Fixture.serving { client, _ in
            let version = try Self.version(in: try await client.execute(uri: "/", method: .get))
            let path = "/app/\(version)/app/main.js"
            let plain = try await client.execute(uri: path, method: .get)
            #expect(plain.headers[.contentEncoding] == nil)
            #expect(plain.headers[.vary] == "Accept-Encoding")
            for accepted in ["gzip", "br, gzip;q=0.5", "*"] {
                let packed = try await client.execute(
                    uri: path, method: .get, headers: [.acceptEncoding: accepted])
                #expect(packed.headers[.contentEncoding] == "gzip")
                #expect(packed.headers[.vary] == "Accept-Encoding")
                #expect(packed.body.readableBytes < plain.body.readableBytes / 4)
                #expect(packed.headers[.eTag] != plain.headers[.eTag])
                #expect(try Self.unzipped(packed.body) == plain.body)
            }
            for refused in ["br", "gzip;q=0", "gzip; q=0.0", "identity"] {
                let answer = try await client.execute(
                    uri: path, method: .get, headers: [.acceptEncoding: refused])
                #expect(answer.headers[.contentEncoding] == nil)
            }
        }
    }

    @Test("a client that has the newest shell gets 304")
    func conditional() async throws {
        try await Fixture.serving { client, _ in
            for path in ["/", "/sw.js", "/manifest.webmanifest", "/icons/icon.svg"] {
                let first = try await client.execute(uri: path, method: .get)
                let tag = try #require(first.headers[.eTag])
                let second = try await client.execute(uri: path, method: .get, headers: [.ifNoneMatch: tag])
                #expect(second.status == .notModified)
                #expect(second.body.readableBytes == 0)
                #expect(second.headers[.cacheControl] == first.headers[.cacheControl])
            }
        }
    }

    @Test("in development an edit shows at the next reload, as a new version")
    func reload() async throws {
        let folder = try TemporaryFolder()
        let path = try WebFixture.write(in: folder)
        try await Fixture.serving(["DAYLY_WEB_PATH": path]) { client, _ in
            let before = try Self.version(in: try await client.execute(uri: "/", method: .get))
            let same = try Self.version(in: try await client.execute(uri: "/", method: .get))
            #expect(same == before)
            try Data("export const answer = 42\n".utf8).write(
                to: folder.url.appendingPathComponent("web/app/main.js"))
            let after = try Self.version(in: try await client.execute(uri: "/", method: .get))
            #expect(after != before)
            let module = try await client.execute(uri: "/app/\(after)/app/main.js", method: .get)
            #expect(String(buffer: module.body) == "export const answer = 42\n")
            let old = try await client.execute(uri: "/app/\(before)/app/main.js", method: .get)
            #expect(old.status == .notFound)
            // An editor replaces the file.
            try FileManager.default.removeItem(at: folder.url.appendingPathComponent("web/index.html"))
            let kept = try Self.version(in: try await client.execute(uri: "/", method: .get))
            #expect(kept == after)
        }
        withExtendedLifetime(folder) {}
    }

    @Test("without the web client the service has no page at its root")
    func disabled() async throws {
        let navigation = navigation
        try await Fixture.serving(["DAYLY_WEB_ENABLED": "false"]) { client, _ in
            for path in ["/", "/groups", "/sw.js", "/app/x/app/main.js"] {
                let answer = try await client.execute(uri: path, method: .get, headers: navigation)
                #expect(answer.status == .notFound)
            }
        }
    }

    @Test(
        "a deployment without a product serves no file of it and does not name it", arguments: [true, false])
    func products(hasFocus: Bool) async throws {
        let folder = try TemporaryFolder()
        let own = "focus/screens/now.js"
        let path = try WebFixture.write(WebFixture.files.merging([own: "export {}"]) { $1 }, in: folder)
        let settings = ["DAYLY_WEB_PATH": path, "DAYLY_FEATURES": hasFocus ? "photos,focus" : "photos"]
        try await Fixture.serving(settings) { client, _ in
            let shell = try await client.execute(uri: "/", method: .get)
            let version = try Self.version(in: shell)
            let file = try await client.execute(uri: "/app/\(version)/\(own)", method: .get)
            #expect(file.status == (hasFocus ? .ok : .notFound))
            let worker = String(buffer: try await client.execute(uri: "/sw.js", method: .get).body)
            for text in [String(buffer: shell.body), worker] {
                #expect(text.contains("focus") == hasFocus)
            }
        }
        withExtendedLifetime(folder) {}
    }

    @Test("a folder that holds no web client is refused with a remedy, unless the client is switched off")
    func wrongFolder() async throws {
        let folder = try TemporaryFolder()
        let settings = Fixture.development(
            in: folder, ["DAYLY_WEB_ENABLED": "true", "DAYLY_WEB_PATH": folder.path])
        let problems = #expect(throws: ConfigurationProblems.self) {
            try ServerConfiguration.load(environment: settings, file: nil)
        }
        #expect(problems?.problems.map(\.key) == ["web.path"])
        #expect("\(String(describing: problems))".contains("index.html"))
        let disabled = settings.merging(["DAYLY_WEB_ENABLED": "false"]) { $1 }
        _ = try ServerConfiguration.load(environment: disabled, file: nil)
    }

    private struct Facts: Decodable {
        let version: String
        let development: Bool
        let limits: [String: Int]
        let photoLifetime: Int
        let links: [String: String?]

        enum CodingKeys: String, CodingKey {
            case version
            case development
            case limits
            case photoLifetime = "photo_lifetime"
            case links
        }
    }

    private static func version(in shell: TestResponse) throws -> String {
        let html = String(buffer: shell.body)
        return String(try #require(html.firstMatch(of: /src="\/app\/([0-9a-f]+)\/app\/main\.js"/)?.1))
    }

    /// By a program that knows nothing of our code.
    private static func unzipped(_ body: ByteBuffer) throws -> ByteBuffer {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("packed.gz")
        try Data(body.readableBytesView).write(to: file)
        let gzip = Process()
        gzip.executableURL = URL(fileURLWithPath: "/bin/gzip")
        gzip.arguments = ["-dc", file.path]
        let output = Pipe()
        gzip.standardOutput = output
        try gzip.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        gzip.waitUntilExit()
        return ByteBuffer(bytes: bytes)
    }
}
