import CResources
import DaylyAPI
import DaylyTesting
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import DaylyServer

@Suite("Public pages")
struct PageTests {
    private let withoutClient = ["DAYLY_WEB_ENABLED": "false"]

    @Test("without the web client the invitation page shows the code and is the same for every code")
    func invitePage() async throws {
        try await Fixture.serving(withoutClient) { client, _ in
            let one = try await client.execute(uri: "/i/ABC234", method: .get)
            #expect(one.status == .ok)
            #expect(one.headers[.contentType] == "text/html; charset=utf-8")
            let html = String(buffer: one.body)
            #expect(html.contains("<span aria-hidden=\"true\">ABC234</span>"))
            #expect(html.contains("<span class=\"spoken\">A B C 2 3 4</span>"))
            #expect(html.contains("<html lang=\"en\">") && html.contains("name=\"viewport\""))
            #expect(html.matches(of: /<h1>/).count == 1 && html.matches(of: /<h2>/).count == 2)
            #expect(!html.contains("<script") && !html.contains("<img") && !html.contains("<link"))
            #expect(html.utf8.count < 8_192)
            #expect(html.matches(of: /http/).isEmpty)
            #expect(!html.contains("/join/") && html.contains("<h2>How to join</h2>"))
            let other = try await client.execute(uri: "/i/XYZ789", method: .get)
            let same = String(buffer: other.body).replacing("XYZ789", with: "ABC234")
                .replacing("X Y Z 7 8 9", with: "A B C 2 3 4")
            #expect(same == html)
            for spelling in ["abc234", "ABC-234", "abc%20234", "a-b-c-2-3-4"] {
                let response = try await client.execute(uri: "/i/\(spelling)", method: .get)
                #expect(String(buffer: response.body) == html)
            }
        }
    }

    @Test("without the web client the invitation page loads nothing, is not indexed and sends no referrer")
    func invitePageHeaders() async throws {
        try await Fixture.serving(withoutClient) { client, _ in
            let response = try await client.execute(uri: "/i/ABC234", method: .get)
            let policy = try #require(response.headers[.contentSecurityPolicy])
            #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(response.headers[values: .referrerPolicy] == ["no-referrer"])
            #expect(response.headers[.robots] == "noindex, nofollow")
            #expect(response.headers[values: .contentSecurityPolicy].count == 1)
        }
    }

    @Test(
        "the invitation's link opens the web client's shell, with the letter for readers without JavaScript")
    func letter() async throws {
        try await Fixture.serving { client, _ in
            let shell = try await client.execute(uri: "/", method: .get)
            let page = try await client.execute(
                uri: "/I/abc-234/", method: .get, headers: [.acceptLanguage: "de"])
            let html = String(buffer: page.body)
            #expect(page.status == .ok && html.contains("<html lang=\"de\">"))
            #expect(
                html.contains("<h1>Du bist eingeladen</h1>") && html.contains("Nach zwei Tagen ist es weg."))
            #expect(html.contains("data-path=\"/i/ABC234\"") && html.contains("href=\"/join/ABC234\""))
            #expect(!html.contains("{{") && !String(buffer: shell.body).contains("{{"))
            // Robots and messengers run no script.
            let text = try #require(html.firstMatch(of: /<noscript>(?s:.*)<\/noscript>/)).0
            #expect(text.contains("ABC234") && text.contains(InvitationWords.german.signIn))
            #expect(html.contains("<meta name=\"robots\" content=\"noindex\">"))
            #expect(page.headers[.cacheControl] == "private, no-store")
            let confining: [HTTPField.Name] = [
                .contentSecurityPolicy, .permissionsPolicy, .crossOriginOpenerPolicy, .referrerPolicy,
            ]
            for name in confining {
                #expect(page.headers[values: name] == shell.headers[values: name], "\(name)")
            }
            // The program of the page is that of the shell, and so are the hashes in its policy.
            let script = /<script(?s:.*)<\/script>/
            #expect(html.firstMatch(of: script)?.0 == String(buffer: shell.body).firstMatch(of: script)?.0)
        }
    }

    @Test("the letter's page names the modules of the next screens, and each is there")
    func ahead() async throws {
        let project = DatabaseServer.migrationsDirectory.deletingLastPathComponent()
        let environment = ["DAYLY_WEB_PATH": project.appending(path: "Sources/Web").path]
        try await Fixture.serving(environment) { client, _ in
            let html = String(buffer: try await client.execute(uri: "/i/ABC234", method: .get).body)
            let paths = html.matches(of: /rel="modulepreload"[^>]* href="([^"]*)"/).map { String($0.1) }
            for name in ["join/join.js", "phone/phone.js", "numbering/plans.js", "name/name.js"] {
                #expect(paths.contains { $0.hasSuffix(name) }, "\(name)")
            }
            #expect(Set(paths).count == paths.count)
            for path in paths {
                let status = try await client.execute(uri: path, method: .get).status
                #expect(status == .ok, "\(path)")
            }
        }
    }

    @Test("the letter of the page has the heading and the button of the client's own screen")
    func words() throws {
        for (language, words) in [("en", InvitationWords.english), ("de", .german)] {
            let path = DatabaseServer.migrationsDirectory.deletingLastPathComponent()
                .appending(path: "Sources/Web/locales/\(language).json")
            let texts = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: path)) as? [String: Any])
            #expect(texts["join.title"] as? String == words.letter)
            #expect(texts["invites.join"] as? String == words.join)
            #expect(texts["join.apps"] as? String == words.inApp)
            #expect(texts["join.code"] as? String == words.code)
        }
    }

    /// Guard: a file of the letter's words has each word that the page has, and no other (`InvitationWords`)
    @Test("the files of the letter's words have no key that the page does not have")
    func keys() throws {
        let words = Mirror(reflecting: InvitationWords.english).children.compactMap(\.label).sorted()
        for file in [invitation_words_en(), invitation_words_de()] {
            let json = Data(String(cString: try #require(file)).utf8)
            let texts = try #require(try JSONSerialization.jsonObject(with: json) as? [String: String])
            #expect(texts.keys.sorted() == words)
        }
    }

    /// Guard: only well-formed codes have a page; links are escaped (`InvitationPageRoutes`, `Page.escaped`)
    @Test("links to the apps are escaped, and left out if there are none")
    func links() async throws {
        let links = [
            "DAYLY_LINKS_APP_STORE": "https://apps.example/a?x=1&y=2",
            "DAYLY_LINKS_PLAY_STORE": "https://play.example/\"><script>alert(1)</script>",
        ]
        for more in [[:], withoutClient] {
            try await Fixture.serving(links.merging(more) { $1 }) { client, _ in
                let html = String(buffer: try await client.execute(uri: "/i/ABC234", method: .get).body)
                #expect(html.contains("href=\"https://apps.example/a?x=1&amp;y=2\""))
                #expect(html.contains("Get the app"))
                #expect(!html.contains("<script>alert"))
            }
        }
    }

    @Test("every problem code has a page, and nothing else has one")
    func problemPages() async throws {
        try await Fixture.serving { client, _ in
            for code in Features.problems.keys {
                let response = try await client.execute(uri: "/problems/\(code.rawValue)", method: .get)
                #expect(response.status == .ok)
                #expect(String(buffer: response.body).contains(code.rawValue))
            }
            let outcome = try await client.execute(uri: "/problems/nonsense", method: .get).status
            #expect(outcome == .notFound)
        }
    }

    /// Guard: readiness fails with its checks (`HealthRoutes`)
    @Test("liveness checks nothing; readiness names the parts that are down without details")
    func health() async throws {
        try await Fixture.serving { client, _ in
            let live = try await client.execute(uri: "/healthz", method: .get)
            #expect(live.status == .ok)
            #expect(String(buffer: live.body) == #"{"status":"ok"}"#)
            let ready = try await client.execute(uri: "/readyz", method: .get)
            #expect(ready.status == .serviceUnavailable)
            #expect(ready.headers[.retryAfter] != nil)
            let problem = String(buffer: ready.body)
            #expect(problem.contains(#""code":"unavailable""#))
            #expect(problem.contains("database, migrations"))
            #expect(!problem.contains("bucket"))
            #expect(!problem.contains("127.0.0.1"))
        }
    }

    @Test("pages answer HEAD, and 405 to other methods")
    func methods() async throws {
        try await Fixture.serving { client, _ in
            for path in ["/i/ABC234", "/healthz", "/openapi.yaml", "/problems/not_found"] {
                let outcome = try await client.execute(uri: path, method: .head).status
                #expect(outcome == .ok)
                let response = try await client.execute(uri: path, method: .post)
                #expect(response.status == .methodNotAllowed)
                #expect(response.headers[.allow] == "GET, HEAD")
            }
        }
    }
}
