import DaylyAPI
import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import Hummingbird
import Testing

@testable import Auth

@Suite("Who is calling")
struct AuthenticatorTests {
    @Test("a call without a valid token is 401 with a challenge")
    func refuses() async throws {
        try await SignInApp.run { app in
            let token = try await app.signIn().accessToken
            let missing = try await app.call(.get, "users/me")
            #expect(missing.status == 401)
            #expect(missing.code == "unauthorized")
            #expect(missing.headers[.wwwAuthenticate] == "Bearer")
            let bad = try await app.me("nonsense")
            #expect(bad.headers[.wwwAuthenticate] == #"Bearer error="invalid_token""#)
            for value in [
                "", "Bearer", "Bearer ", "Basic \(token)", token, "Bearer \(token) x", "Token \(token)",
            ] {
                let answer = try await app.call(.get, "users/me", headers: [.authorization: value])
                #expect(answer.status == 401, "\(value.prefix(12))")
            }
            let lowerCase = try await app.call(.get, "users/me", headers: [.authorization: "bearer \(token)"])
            #expect(lowerCase.status == 200)
        }
    }

    @Test("two Authorization headers count as none")
    func twoHeaders() async throws {
        try await SignInApp.run { app in
            let token = try await app.signIn().accessToken
            var headers = HTTPFields()
            headers[values: .authorization].append("Bearer \(token)")
            headers[values: .authorization].append("Bearer \(token)")
            #expect(try await app.call(.get, "users/me", headers: headers).status == 401)
        }
    }

    @Test(
        "every call except the four open ones needs a token",
        arguments: [
            ("GET", "auth/sessions"), ("DELETE", "auth/sessions/0198a6e0-0000-7000-8000-000000000001"),
            ("DELETE", "auth/sessions"),
            ("GET", "users/me"), ("PATCH", "users/me"), ("DELETE", "users/me"), ("GET", "users/me/export"),
        ])
    func closedRoutes(method: String, path: String) async throws {
        try await SignInApp.run { app in
            let method = try #require(HTTPRequest.Method(method))
            #expect(try await app.call(method, path, "{}").status == 401)
        }
    }

    /// Guard: exp and nbf, by PostgreSQL's clock (`VerifiedToken.isValid`)
    @Test("a token is valid neither before its start nor after its end, by PostgreSQL's clock")
    func time() async throws {
        try await SignInApp.run { app in
            let user = try await Fixtures.user(in: app.postgres)
            let session = try await Fixtures.session(in: app.postgres, of: user)
            let tokens = try await Fixtures.accessTokens()
            for (offset, status) in [(0.0, 200), (-890, 200), (-901, 401), (30, 401)] {
                let token = try await tokens.issue(
                    user: user, session: session, now: Date().addingTimeInterval(offset))
                #expect(try await app.me(token).status == status, "issued \(offset) seconds from now")
            }
        }
    }

    /// Guard: a token is valid for its session's own user only (`SessionStore.probe`)
    @Test("a token is refused when its session belongs to another user")
    func sessionOfSomebodyElse() async throws {
        try await SignInApp.run { app in
            let ada = try await Fixtures.user(in: app.postgres)
            let eve = try await Fixtures.user(in: app.postgres)
            let session = try await Fixtures.session(in: app.postgres, of: eve)
            let token = try await Fixtures.accessToken(in: app.postgres, for: ada, session: session)
            #expect(try await app.me(token).status == 401)
        }
    }

    @Test("activity and use are recorded by the day, and only once within it")
    func notesUse() async throws {
        try await SignInApp.run { app in
            let user = try await Fixtures.user(in: app.postgres)
            let token = try await Fixtures.accessToken(in: app.postgres, for: user)
            try await app.postgres.execute(
                "UPDATE sessions SET last_used_at = now() - interval '1 day' WHERE user_id = \(user)")
            #expect(try await app.me(token).status == 200)
            let noted = try #require(
                try await app.postgres.first(
                    """
                    SELECT last_active_on = (now() AT TIME ZONE 'UTC')::date AS today,
                        last_used_at = date_trunc('day', now(), 'UTC') AS used,
                        users.xmin::text || sessions.xmin::text AS version
                    FROM users JOIN sessions ON sessions.user_id = users.id
                    """))
            #expect(try noted.get("today", as: Bool.self))
            #expect(try noted.get("used", as: Bool.self))
            let version: String = try noted.get("version")
            #expect(try await app.me(token).status == 200)
            let after = try await app.postgres.first(
                "SELECT users.xmin::text || sessions.xmin::text AS version FROM users, sessions")
            #expect(try after?.get("version", as: String.self) == version)
        }
    }

    /// Guard: a locked session row does not delay a call (`SessionStore.recordUse`)
    @Test("a session row that another transaction has locked delays no call")
    func lockedRow() async throws {
        try await SignInApp.run { app in
            let user = try await Fixtures.user(in: app.postgres)
            let token = try await Fixtures.accessToken(in: app.postgres, for: user)
            // The rows stay locked until the call was answered.
            let status = try await app.postgres.holding("SELECT 1 FROM users, sessions FOR UPDATE") {
                try await app.me(token).status
            }
            #expect(status == 200)
        }
    }
}
