@testable import Auth
import DaylyAPI
import DaylyTesting
import Foundation
import HTTPKit
import Hummingbird
import Testing

@Suite("Sessions of browsers")
struct BrowserSessionTests {
    private static let origin = "https://dayly.example"

    private static func run(
        isSecure: Bool = true, _ body: @escaping @Sendable (SignInApp) async throws -> Void
    ) async throws {
        try await SignInApp.run(
            configure: { $0.browsers = BrowserSessions(origin: origin, isSecure: isSecure) }, body)
    }

    /// The headers of a page of the service.
    private static func own(cookie: String? = nil) -> HTTPFields {
        headers(site: "same-origin", origin: origin, cookie: cookie)
    }

    private static func headers(
        site: String? = nil, origin: String? = nil, cookie: String? = nil, session: String? = "cookie"
    ) -> HTTPFields {
        var headers = HTTPFields()
        headers[.daylySession] = session
        headers[.fetchSite] = site
        headers[.origin] = origin
        headers[.cookie] = cookie
        return headers
    }

    /// Signs in as a browser does.
    ///
    /// - Returns: the answer, and the cookie as the browser sends it back.
    private static func signIn(_ app: SignInApp) async throws -> (answer: HTTPAnswer, cookie: String) {
        let (id, code) = try await app.startedVerification(Fixtures.phoneNumber())
        let body = #"{"verification_id": "\#(id)", "code": "\#(code)"}"#
        let answer = try await app.call(.post, "auth/verify", body, headers: own())
        return (answer, try cookie(of: answer))
    }

    private static func cookie(of answer: HTTPAnswer) throws -> String {
        String(try #require(answer.headers[.setCookie]).prefix { $0 != ";" })
    }

    private static func live(_ app: SignInApp) async throws -> Int {
        try await app.count("SELECT count(*) AS count FROM sessions WHERE ended_at IS NULL")
    }

    /// Guard: the refresh token of a browser is not in the body, and in a cookie that scripts cannot read
    /// (`TokenReply`, `BrowserSessions.cookie`)
    @Test(
        "the refresh token of a browser is in a cookie that only the calls about sessions get, and not in the body"
    )
    func signingIn() async throws {
        try await Self.run { app in
            let (answer, cookie) = try await Self.signIn(app)
            #expect(answer.status == 200)
            #expect(answer.member("refresh_token") == nil)
            #expect(answer.headers[.cacheControl] == "no-store")
            let text = try #require(answer.headers[.setCookie])
            let parts = text.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(cookie.hasPrefix("__Secure-dayly="))
            #expect(
                Set(parts.dropFirst()) == [
                    "Max-Age=5184000", "Path=/v1/auth", "HttpOnly", "SameSite=Strict", "Secure",
                ])
            let token = try #require(RefreshToken(String(cookie.dropFirst("__Secure-dayly=".count))))
            #expect(!answer.text.contains(token.text))
            let tokens = try answer.decode(BrowserTokenResponse.self)
            #expect(tokens.isNewUser == true)
            #expect(try await app.me(tokens.accessToken).status == 200)
        }
    }

    @Test("over plain http, in development, the cookie has no attribute that needs https")
    func plainHTTP() async throws {
        try await Self.run(isSecure: false) { app in
            let (answer, cookie) = try await Self.signIn(app)
            #expect(cookie.hasPrefix("dayly="))
            #expect(answer.headers[.setCookie]?.contains("Secure") == false)
            let refreshed = try await app.call(.post, "auth/refresh", headers: Self.own(cookie: cookie))
            #expect(refreshed.status == 200)
        }
    }

    @Test("the cookie is exchanged for new tokens and a new cookie", arguments: [nil, "{}"])
    func refreshing(_ body: String?) async throws {
        try await Self.run { app in
            let (_, cookie) = try await Self.signIn(app)
            let answer = try await app.call(
                .post, "auth/refresh", body, headers: Self.own(cookie: "other=1; " + cookie))
            #expect(answer.status == 200)
            #expect(answer.member("refresh_token") == nil && answer.member("is_new_user") == nil)
            let next = try Self.cookie(of: answer)
            #expect(next != cookie)
            let again = try await app.call(.post, "auth/refresh", headers: Self.own(cookie: next))
            #expect(again.status == 200)
        }
    }

    /// Guard: a refused token leaves the browser (`BrowserSessions.removingIfRefused`)
    @Test(
        "a refused cookie is 401 and leaves the browser",
        arguments: [nil, "__Secure-dayly=nonsense", "dayly=x"])
    func refused(_ cookie: String?) async throws {
        try await Self.run { app in
            let answer = try await app.call(.post, "auth/refresh", headers: Self.own(cookie: cookie))
            #expect(answer.status == 401)
            #expect(answer.code == "invalid_refresh_token")
            #expect(
                answer.headers[.setCookie]
                    == "__Secure-dayly=; Max-Age=0; Path=/v1/auth; HttpOnly; SameSite=Strict; Secure")
        }
    }

    /// Guard: signing out empties the browser's store (`BrowserSessions.signedOut`)
    @Test("signing out ends the session, and the browser drops the cookie and all that it has stored")
    func signingOut() async throws {
        try await Self.run { app in
            let (_, cookie) = try await Self.signIn(app)
            let answer = try await app.call(.post, "auth/logout", headers: Self.own(cookie: cookie))
            #expect(answer.status == 204)
            #expect(answer.headers[.setCookie]?.hasPrefix("__Secure-dayly=; Max-Age=0;") == true)
            #expect(answer.headers[.clearSiteData] == #""cache", "storage""#)
            #expect(try await Self.live(app) == 0)
            let without = try await app.call(.post, "auth/logout", headers: Self.own())
            #expect(without.status == 204)
        }
    }

    /// Guard: a browser's session is used by pages of the service only (`BrowserSessions.isAsked`)
    @Test(
        "a page of another site cannot refresh, sign in or sign out, whatever cookie the browser sends along",
        arguments: [
            ("cross-site", "https://evil.example"), ("same-site", "https://other.dayly.example"),
            ("none", nil), ("cross-site", origin), ("same-origin, cross-site", nil), ("", origin),
            (nil, "https://evil.example"), (nil, "https://dayly.example.evil.example"),
            (nil, "http://dayly.example"), (nil, "https://dayly.example:8443"), (nil, "null"), (nil, nil),
        ] as [(String?, String?)])
    func foreignPages(_ site: String?, _ origin: String?) async throws {
        try await Self.run { app in
            let (_, cookie) = try await Self.signIn(app)
            let (id, code) = try await app.startedVerification(Fixtures.phoneNumber())
            let headers = Self.headers(site: site, origin: origin, cookie: cookie)
            let calls = [
                ("auth/verify", #"{"verification_id": "\#(id)", "code": "\#(code)"}"#), ("auth/refresh", nil),
                ("auth/logout", nil),
            ]
            for (path, body) in calls {
                let answer = try await app.call(.post, path, body, headers: headers)
                #expect(answer.status == 403 && answer.code == "invalid_request", "\(path)")
                #expect(answer.headers[.setCookie] == nil)
            }
            #expect(try await Self.live(app) == 1)
            // The code was not used up, nor was the cookie's token.
            #expect(try await app.verify(id, code).status == 200)
            #expect(
                try await app.call(.post, "auth/refresh", headers: Self.own(cookie: cookie)).status == 200)
        }
    }

    @Test("a browser without Fetch Metadata is known by the origin of its page")
    func originAlone() async throws {
        try await Self.run { app in
            let (_, cookie) = try await Self.signIn(app)
            let headers = Self.headers(origin: Self.origin, cookie: cookie)
            #expect(try await app.call(.post, "auth/refresh", headers: headers).status == 200)
        }
    }

    @Test("without the header a cookie counts for nothing, and the answers are as ever")
    func withoutHeader() async throws {
        try await Self.run { app in
            let (_, cookie) = try await Self.signIn(app)
            let headers = Self.headers(
                site: "same-origin", origin: Self.origin, cookie: cookie, session: nil)
            for path in ["auth/refresh", "auth/logout"] {
                #expect(try await app.call(.post, path, headers: headers).status == 400)
                #expect(try await app.call(.post, path, "{}", headers: headers).status == 400)
            }
            #expect(try await Self.live(app) == 1)
            let plain = try await app.signIn()
            let answer = try await app.refresh(plain.refreshToken)
            #expect(answer.headers[.setCookie] == nil)
            #expect(answer.member("refresh_token") != nil)
        }
    }

    @Test("with the header a token in the body counts for nothing")
    func tokenInBody() async throws {
        try await Self.run { app in
            let plain = try await app.signIn()
            let body = #"{"refresh_token": "\#(plain.refreshToken)"}"#
            #expect(try await app.call(.post, "auth/refresh", body, headers: Self.own()).status == 401)
            #expect(try await app.call(.post, "auth/logout", body, headers: Self.own()).status == 204)
            #expect(try await Self.live(app) == 1)
        }
    }

    @Test("the header has one value", arguments: ["Cookie", "body", ""])
    func otherValue(_ value: String) async throws {
        try await Self.run { app in
            let headers = Self.headers(site: "same-origin", origin: Self.origin, session: value)
            let answer = try await app.call(.post, "auth/refresh", headers: headers)
            #expect(answer.status == 400)
        }
    }
}
