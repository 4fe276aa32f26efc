import DaylyAPI
import DaylyTesting
import FeatureKit
import Foundation
import Postgres
import RateLimiting
import Synchronization
import Testing

@testable import Auth

@Suite("Sessions")
struct SessionTests {
    /// Guard: signing out all others spares the caller's session and other users
    /// (`AuthService.endOtherSessions`)
    @Test("signing out all others leaves the caller's session and other people's alone")
    func endsOthers() async throws {
        try await SignInApp.run(enforceRates: false) { app in
            let number = Fixtures.phoneNumber()
            var devices: [TokenResponse] = []
            for name in ["Phone", "Tablet", "Watch"] {
                devices.append(try await app.signIn(number, #", "device_name": "\#(name)""#))
            }
            let stranger = try await app.signIn()
            let answer = try await app.call(.delete, "auth/sessions", token: devices[1].accessToken)
            #expect(answer.status == 204)
            for (index, device) in devices.enumerated() {
                let status = index == 1 ? 200 : 401
                #expect(try await app.me(device.accessToken).status == status)
                #expect(try await app.refresh(device.refreshToken).status == status)
            }
            #expect(try await app.me(stranger.accessToken).status == 200)
            #expect(try await app.refresh(stranger.refreshToken).status == 200)
            let list = try await app.call(.get, "auth/sessions", token: devices[1].accessToken)
                .decode(SessionList.self)
            #expect(list.sessions.map(\.deviceName) == ["Tablet"])
            // A second call finds no other session, and that is not an error.
            #expect(
                try await app.call(.delete, "auth/sessions", token: devices[1].accessToken).status == 204)
        }
    }

    /// Guard: devices hear of the end of their session from elsewhere, unless somebody has signed in there
    /// again, and no token stays (`AuthService.evict`, `NotificationService.bidFarewell`, `.sendFarewell`)
    @Test("devices hear of a session that somebody else ends, and before it ends; not of their own sign-out")
    func evictions() async throws {
        let evicted = Mutex<[[SessionID]]>([])
        let hook: SessionHook = { tx, sessions in
            let live = try tx.query(
                "SELECT 1 AS one FROM sessions WHERE id = ANY(\(sessions)) AND ended_at IS NULL")
            #expect(live.count == sessions.count)
            evicted.withLock { $0.append(sessions) }
        }
        try await SignInApp.run(enforceRates: false, onEviction: [hook]) { app in
            let number = Fixtures.phoneNumber()
            var devices: [TokenResponse] = []
            for _ in 0..<5 { devices.append(try await app.signIn(number)) }
            let rows = try await app.postgres.query("SELECT id FROM sessions ORDER BY id")
            let ids: [SessionID] = try rows.map { try $0.get("id") }
            _ = try await app.logout(devices[4].refreshToken)
            #expect(evicted.withLock { $0 } == [])
            let path = "auth/sessions/\(ids[3].rawValue)"
            #expect(try await app.call(.delete, path, token: devices[0].accessToken).status == 204)
            #expect(try await app.call(.delete, path, token: devices[0].accessToken).status == 404)
            // Somebody else has copied a token that was used long ago.
            let child = try await app.refresh(devices[2].refreshToken).decode(TokenResponse.self)
            _ = try await app.refresh(child.refreshToken)
            #expect(try await app.refresh(devices[2].refreshToken).status == 401)
            #expect(try await app.call(.delete, "auth/sessions", token: devices[0].accessToken).status == 204)
            #expect(evicted.withLock { $0 } == [[ids[3]], [ids[2]], [ids[1]]])
        }
    }

    /// Counts moments other than midnight in UTC, besides those of the session's beginning and end.
    private static let fineTimes: SQL = """
        SELECT count(*) AS count FROM sessions
        WHERE last_used_at <> date_trunc('day', last_used_at, 'UTC')
            OR rotated_at <> date_trunc('day', rotated_at, 'UTC')
            OR expires_at <> date_trunc('day', expires_at, 'UTC')
        """

    /// Guard: times of use are kept by the day: at each use, at the exchange, and in the end of a session
    /// (`SessionStore.rotate`, `.recordUse`)
    @Test("a session's last use and last exchange are stored by the day")
    func coarseTimes() async throws {
        try await SignInApp.run { app in
            let signedIn = try await app.signIn()
            #expect(try await app.count(Self.fineTimes) == 0)
            let child = try await app.refresh(signedIn.refreshToken).decode(TokenResponse.self)
            #expect(try await app.count(Self.fineTimes) == 0)
            let list = try await app.call(.get, "auth/sessions", token: child.accessToken)
            #expect(
                list.text.contains(
                    #""last_used_at":"\#(Date().formatted(.iso8601.year().month().day()))T00:00:00Z""#))
        }
    }

    @Test("a session lifetime of hours is exact to the second")
    func shortLifetimes() async throws {
        try await SignInApp.run(configure: { $0.refreshTokenLifetime = .seconds(7_200) }) { app in
            _ = try await app.signIn()
            let exact =
                "SELECT count(*) AS count FROM sessions WHERE expires_at = created_at + interval '2 hours'"
                as SQL
            #expect(try await app.count(exact) == 1)
        }
    }

    @Test("a number that is registered anew revives no token of the account that had it")
    func registeredAnew() async throws {
        try await SignInApp.run(enforceRates: false) { app in
            let number = Fixtures.phoneNumber()
            let old = try await app.signIn(number)
            let second = try await app.signIn(number)
            #expect(try await app.call(.delete, "users/me", token: old.accessToken).status == 204)
            let new = try await app.signIn(number)
            #expect(new.user.id != old.user.id)
            for tokens in [old, second] {
                #expect(try await app.me(tokens.accessToken).status == 401)
                #expect(try await app.refresh(tokens.refreshToken).status == 401)
                #expect(try await app.logout(tokens.refreshToken).status == 204)
            }
            #expect(try await app.me(new.accessToken).status == 200)
        }
    }

    @Test("when an account is deleted and refreshed at once, no valid token remains")
    func deletionRace() async throws {
        try await SignInApp.run { app in
            let signedIn = try await app.signIn()
            let answers = try await app.holding("SELECT id FROM users FOR UPDATE") {
                try await atOnce(10) { index in
                    index == 0
                        ? try await app.call(.delete, "users/me", token: signedIn.accessToken)
                        : try await app.refresh(signedIn.refreshToken)
                }
            }
            #expect(answers.allSatisfy { [200, 204, 401].contains($0.status) })
            for answer in answers where answer.status == 200 {
                let tokens = try answer.decode(TokenResponse.self)
                #expect(try await app.me(tokens.accessToken).status == 401)
                #expect(try await app.refresh(tokens.refreshToken).status == 401)
            }
            #expect(try await app.count("SELECT count(*) AS count FROM sessions") == 0)
        }
    }
}
