import DaylyAPI
import Foundation
import Hummingbird
import HummingbirdTesting
import Testing

@testable import DaylyServer

@Suite("Public pages")
struct PageTests {
    @Test("the invitation page shows the code and is the same for every code")
    func invitePage() async throws {
        try await Fixture.serving { client, _ in
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
            #expect(html.matches(of: /http/).count == 1, "the preview's picture")
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

    @Test("the invitation page loads nothing, is not indexed and sends no referrer")
    func invitePageHeaders() async throws {
        try await Fixture.serving { client, _ in
            let response = try await client.execute(uri: "/i/ABC234", method: .get)
            let policy = try #require(response.headers[.contentSecurityPolicy])
            #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(response.headers[values: .referrerPolicy] == ["no-referrer"])
            #expect(response.headers[.robots] == "noindex, nofollow")
            #expect(response.headers[values: .contentSecurityPolicy].count == 1)
        }
    }

    @Test("an invitee can join in the browser by a plain link, if the web client is served")
    func joinInBrowser() async throws {
        try await Fixture.serving { client, _ in
            let html = String(buffer: try await client.execute(uri: "/i/abc-234", method: .get).body)
            #expect(html.contains(#"<a href="/join/ABC234">Join in the browser</a>"#))
            let page = try await client.execute(
                uri: "/join/ABC234", method: .get, headers: [.accept: "text/html"])
            #expect(page.status == .ok)
        }
        try await Fixture.serving(["DAYLY_WEB_ENABLED": "false"]) { client, _ in
            let html = String(buffer: try await client.execute(uri: "/i/ABC234", method: .get).body)
            #expect(!html.contains("/join/") && html.contains("<h2>How to join</h2>"))
        }
    }

    @Test("links to the apps are escaped, and left out if there are none")
    func links() async throws {
        let links = [
            "DAYLY_LINKS_APP_STORE": "https://apps.example/a?x=1&y=2",
            "DAYLY_LINKS_PLAY_STORE": "https://play.example/\"><script>alert(1)</script>",
        ]
        try await Fixture.serving(links) { client, _ in
            let html = String(buffer: try await client.execute(uri: "/i/ABC234", method: .get).body)
            #expect(html.contains("href=\"https://apps.example/a?x=1&amp;y=2\""))
            #expect(html.contains("Get the app"))
            #expect(!html.contains("<script"))
        }
    }

    @Test("every problem code has a page, and nothing else has one")
    func problemPages() async throws {
        try await Fixture.serving { client, _ in
            for code in ProblemCode.allCases {
                let response = try await client.execute(uri: "/problems/\(code.rawValue)", method: .get)
                #expect(response.status == .ok)
                #expect(String(buffer: response.body).contains(code.rawValue))
            }
            let outcome = try await client.execute(uri: "/problems/nonsense", method: .get).status
            #expect(outcome == .notFound)
        }
    }

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
