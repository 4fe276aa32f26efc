@testable import Auth
import DaylyAPI
import DaylyTesting
import Foundation
import Testing

@Suite("Refreshing")
struct RefreshTests {
    @Test("a refresh token is exchanged for new tokens, and the session lives for sixty more days")
    func exchanges() async throws {
        try await SignInApp.run { app in
            let signedIn = try await app.signIn()
            try await app.postgres.execute("UPDATE sessions SET expires_at = now() + interval '1 day'")
            let answer = try await app.refresh(signedIn.refreshToken)
            #expect(answer.status == 200)
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(answer.member("is_new_user") == nil)
            let refreshed = try answer.decode(TokenResponse.self)
            #expect(refreshed.refreshToken != signedIn.refreshToken)
            #expect(refreshed.user == signedIn.user)
            #expect(try await app.me(refreshed.accessToken).status == 200)
            let days = try await app.count(
                "SELECT floor(extract(epoch FROM expires_at - now()) / 86400)::bigint AS count FROM sessions")
            #expect(days == 60)
        }
    }

    /// Guard: a parent token is valid until its child is used; an older one ends the session, committed
    /// (`AuthService.exchange`)
    @Test("the same token gets the same child again, even weeks later, as long as the child is unused")
    func repeats() async throws {
        try await SignInApp.run { app in
            let signedIn = try await app.signIn()
            let first = try await app.refresh(signedIn.refreshToken).decode(TokenResponse.self)
            for seconds: Double in [50, 3_600, 2_592_000] {
                try await app.ageExchanges(by: .seconds(seconds))
                let again = try await app.refresh(signedIn.refreshToken).decode(TokenResponse.self)
                #expect(again.refreshToken == first.refreshToken)
                #expect(try await app.me(again.accessToken).status == 200)
            }
            #expect(try await app.refresh(first.refreshToken).status == 200)
        }
    }

    /// Guard: a session's row is locked before a token is exchanged (`SessionStore.lockIfPresent`)
    @Test("twenty refreshes at once give one child")
    func race() async throws {
        try await SignInApp.run { app in
            let signedIn = try await app.signIn()
            let answers = try await app.holding("SELECT id FROM sessions FOR UPDATE") {
                try await atOnce(20) { _ in try await app.refresh(signedIn.refreshToken) }
            }
            #expect(answers.allSatisfy { $0.status == 200 })
            let children = Set(try answers.map { try $0.decode(TokenResponse.self).refreshToken })
            #expect(children.count == 1)
            // It is the newest token: no client has exchanged it.
            let child = try #require(children.first)
            #expect(try await app.refresh(child).status == 200)
        }
    }

    /// Guard: a parent token is valid until its child is used; an older one ends the session, committed
    /// (`AuthService.exchange`)
    @Test("once the child was used, presenting the parent ends the session, although the answer is an error")
    func grandparent() async throws {
        try await SignInApp.run { app in
            let signedIn = try await app.signIn()
            let child = try await app.refresh(signedIn.refreshToken).decode(TokenResponse.self)
            let grandchild = try await app.refresh(child.refreshToken).decode(TokenResponse.self)
            let answer = try await app.refresh(signedIn.refreshToken)
            #expect(answer.status == 401)
            #expect(answer.code == "invalid_refresh_token")
            #expect(try await app.refresh(grandchild.refreshToken).status == 401)
            #expect(try await app.me(grandchild.accessToken).status == 401)
        }
    }

    /// Guard: a refresh token's HMAC is checked, on signing out too (`AuthService+Sessions`)
    @Test("a token that was tampered with is refused and ends nothing")
    func forgeries() async throws {
        try await SignInApp.run { app in
            let token = try await app.signIn().refreshToken
            let bytes = Array(token.utf8)
            for index in stride(from: 0, to: bytes.count, by: 7) {
                var forged = bytes
                forged[index] = forged[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
                #expect(try await app.refresh(String(decoding: forged, as: UTF8.self)).status == 401)
            }
            for forged in ["", "a", token + "A", token + "=", String(token.dropLast()), " " + token] {
                #expect(try await app.refresh(forged).status == 401)
            }
            #expect(try await app.refresh(token).status == 200)
        }
    }

    /// Guard: an ended or expired session is refused at every call (`SessionStore.probe`, `.lock`)
    @Test("a session that expired or ended gives no tokens")
    func ended() async throws {
        try await SignInApp.run { app in
            let expired = try await app.signIn()
            try await app.postgres.execute("UPDATE sessions SET expires_at = now()")
            #expect(try await app.refresh(expired.refreshToken).status == 401)
            #expect(try await app.me(expired.accessToken).status == 401)
            let ended = try await app.signIn()
            try await app.postgres.execute("UPDATE sessions SET ended_at = now()")
            #expect(try await app.refresh(ended.refreshToken).status == 401)
            #expect(try await app.me(ended.accessToken).status == 401)
        }
    }

    @Test("access and refresh tokens are not accepted for each other")
    func kindsDiffer() async throws {
        try await SignInApp.run { app in
            let signedIn = try await app.signIn()
            #expect(try await app.me(signedIn.refreshToken).status == 401)
            #expect(try await app.refresh(signedIn.accessToken).status == 401)
        }
    }

    @Test("the database holds no refresh token")
    func notStored() async throws {
        try await SignInApp.run { app in
            let token = try await app.signIn().refreshToken
            let bytes = try #require(Base64URLText(token))
            let row = try #require(
                try await app.postgres.first("SELECT refresh_nonce FROM sessions"))
            let nonce: [UInt8] = try row.get("refresh_nonce")
            #expect(nonce.count == 32)
            #expect(!bytes.bytes.suffix(32).elementsEqual(nonce))
        }
    }

    private struct Base64URLText {
        let bytes: [UInt8]
        init?(_ text: String) {
            let standard = text.replacing("-", with: "+").replacing("_", with: "/")
            let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
            guard let data = Data(base64Encoded: standard + padding) else { return nil }
            bytes = [UInt8](data)
        }
    }
}

@Suite("Signing out")
struct SignOutTests {
    /// Guard: a call that only reads answers nobody whose session has ended: its session is checked in the
    /// same message (`Authenticator.caller`, `SessionStore.probe`)
    @Test("signing out ends the session at once, access token included")
    func logout() async throws {
        try await SignInApp.run { app in
            let signedIn = try await app.signIn()
            #expect(try await app.logout(signedIn.refreshToken).status == 204)
            #expect(try await app.me(signedIn.accessToken).status == 401)
            #expect(try await app.refresh(signedIn.refreshToken).status == 401)
            #expect(try await app.logout(signedIn.refreshToken).status == 204)
        }
    }

    @Test("the parent of the newest token signs out too, for a client that lost an answer")
    func parent() async throws {
        try await SignInApp.run { app in
            let signedIn = try await app.signIn()
            let child = try await app.refresh(signedIn.refreshToken).decode(TokenResponse.self)
            #expect(try await app.logout(signedIn.refreshToken).status == 204)
            #expect(try await app.refresh(child.refreshToken).status == 401)
        }
    }

    /// Guard: a refresh token's HMAC is checked, on signing out too (`AuthService+Sessions`)
    @Test("any other token gets the same answer and ends no session")
    func forgeries() async throws {
        try await SignInApp.run { app in
            let signedIn = try await app.signIn()
            let forged = String(signedIn.refreshToken.dropLast(4)) + "AAAA"
            for token in ["", "nonsense", forged, signedIn.accessToken] {
                #expect(try await app.logout(token).status == 204)
            }
            #expect(try await app.me(signedIn.accessToken).status == 200)
        }
    }

    @Test("the list shows the caller's live sessions and marks the calling one")
    func list() async throws {
        try await SignInApp.run(enforceRates: false) { app in
            let number = Fixtures.phoneNumber()
            let phone = try await app.signIn(number, #", "device_name": "Phone""#)
            let tablet = try await app.signIn(number, #", "device_name": "Tablet""#)
            let old = try await app.signIn(number)
            _ = try await app.logout(old.refreshToken)
            _ = try await app.signIn()
            let list = try await app.call(.get, "auth/sessions", token: tablet.accessToken)
                .decode(SessionList.self)
            #expect(list.sessions.map(\.deviceName) == ["Phone", "Tablet"])
            #expect(list.sessions.map(\.current) == [false, true])
            let ended = try await app.call(
                .delete, "auth/sessions/\(list.sessions[0].id)", token: tablet.accessToken)
            #expect(ended.status == 204)
            #expect(try await app.me(phone.accessToken).status == 401)
            #expect(try await app.me(tablet.accessToken).status == 200)
        }
    }

    /// Guard: another user's session can neither be seen nor ended (`SessionStore`)
    @Test("ending another user's, an unknown or a malformed session is 404 and ends nothing")
    func strangers() async throws {
        try await SignInApp.run { app in
            let mine = try await app.signIn()
            let theirs = try await app.signIn()
            let list = try await app.call(.get, "auth/sessions", token: theirs.accessToken)
                .decode(SessionList.self)
            for id in ["\(list.sessions[0].id)", UUID().uuidString, "nonsense"] {
                let answer = try await app.call(.delete, "auth/sessions/\(id)", token: mine.accessToken)
                #expect(answer.status == 404)
                #expect(answer.code == "not_found")
            }
            #expect(try await app.me(theirs.accessToken).status == 200)
        }
    }
}
