import DaylyTesting
import HTTPKit
import Hummingbird
import HummingbirdTesting
import Testing

@testable import DaylyServer

/// A link as a messenger, a keyboard or a person makes it of an invitation's.
private struct InvitationLink: Decodable, Sendable, CustomStringConvertible {
    let input: String
    let from: String
    let status: Int
    /// The code, or what is wrong with the text.
    let want: String

    var description: String { "\(input), \(from)" }
}

@Suite("Links of invitations")
struct InvitationLinkTests {
    /// Guard: only well-formed codes have a page; links are escaped (`InvitationPageRoutes`, `Page.escaped`)
    /// Guard: a link in another spelling opens its page, and logs show its route (`InvitationLinkMiddleware`)
    @Test("each link opens the page of its code, or the page that asks for the code again")
    func links() async throws {
        let cases: [InvitationLink] = try outsideCases("invitation-links.json")
        #expect(cases.count > 70)
        let hints = [
            "misread": InvitationWords.english.misread, "foreign": InvitationWords.english.foreign,
            "incomplete": InvitationWords.english.incomplete,
        ]
        for environment in [[:], ["DAYLY_WEB_ENABLED": "false"]] {
            try await Fixture.serving(environment) { client, _ in
                for link in cases {
                    let response = try await client.execute(
                        uri: link.input, method: .get, headers: [.accept: "text/html,*/*"])
                    let html = String(buffer: response.body)
                    let wanted = hints[link.want] ?? "<span aria-hidden=\"true\">\(link.want)</span>"
                    #expect(response.status.code == link.status, "\(link)")
                    #expect(html.contains(wanted), "\(link)")
                    #expect(html.contains("<form") == (link.status == 404), "\(link)")
                    #expect(response.headers[.robots] == "noindex, nofollow", "\(link)")
                    #expect(response.headers[values: .referrerPolicy] == ["no-referrer"], "\(link)")
                    let head = try await client.execute(uri: link.input, method: .head)
                    #expect(head.status == response.status && head.body.readableBytes == 0, "\(link)")
                }
            }
        }
    }

    @Test("a text that is longer than any message is not read")
    func long() async throws {
        try await Fixture.serving { client, _ in
            let long = "/i/ABC234" + String(repeating: "-", count: 1_000)
            let outcome = try await client.execute(uri: long, method: .get).status
            #expect(outcome == .notFound)
        }
    }

    @Test("other paths that begin with an i stay what they are")
    func others() async throws {
        try await Fixture.serving { client, _ in
            for path in ["/ii/ABC234", "/invites.txt", "/icons/none.png", "/v1/i/ABC234"] {
                let response = try await client.execute(uri: path, method: .get)
                #expect(response.status == .notFound)
                #expect(!String(buffer: response.body).contains("<form"))
            }
        }
    }

    @Test("a messenger's preview has a title, a sentence and a picture, which tell nothing of the invitation")
    func preview() async throws {
        let project = DatabaseServer.migrationsDirectory.deletingLastPathComponent()
        let environment = [
            "DAYLY_HTTP_PUBLIC_URL": "https://dayly.example",
            "DAYLY_WEB_PATH": project.appending(path: "Sources/Web").path,
        ]
        try await Fixture.serving(environment) { client, _ in
            let response = try await client.execute(
                uri: "/i/ABC234", method: .get, headers: [.userAgent: "WhatsApp/2.24 A"])
            let html = String(buffer: response.body)
            let tags = html.matches(of: #/<meta (?:name|property)="([a-z:]+)" content="([^"]*)">/#)
                .reduce(into: [:]) { $0[String($1.1)] = String($1.2) }
            #expect(tags["og:title"] == "You are invited to Dayly")
            #expect(tags["og:description"] == tags["description"] && tags["description"]?.isEmpty == false)
            #expect(tags.values.allSatisfy { !$0.contains("ABC234") })
            let image = try #require(tags["og:image"])
            #expect(image == "https://dayly.example/icons/icon-512.png")
            let picture = try await client.execute(uri: "/icons/icon-512.png", method: .get)
            #expect(picture.status == .ok && picture.headers[.contentType] == "image/png")
            #expect(picture.body.readableBytes < 300_000, "WhatsApp takes no larger one")
            let robots = try await client.execute(uri: "/robots.txt", method: .get)
            #expect(robots.status == .notFound, "a crawler that may not read the page never sees its noindex")
        }
    }

    @Test(
        "the page speaks German to whom prefers it",
        arguments: [
            ("de", "de"), ("de-AT,de;q=0.9,en;q=0.8", "de"), ("en-GB,en;q=0.9,de;q=0.8", "en"),
            ("fr, de;q=0.5", "de"),
            ("", "en"), ("*", "en"), ("de;q=0, en", "en"), ("DE", "de"), ("de;q=x,en;q=0.1", "en"),
        ])
    func language(field: String, language: String) async throws {
        try await Fixture.serving { client, _ in
            for path in ["/i/ABC234", "/i/ABC23O"] {
                let response = try await client.execute(
                    uri: path, method: .get, headers: [.acceptLanguage: field])
                #expect(String(buffer: response.body).contains("<html lang=\"\(language)\">"))
            }
        }
    }
}
