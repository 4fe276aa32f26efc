@testable import Auth
import DaylyAPI
import DaylyTesting
import Foundation
import Postgres
import Testing

/// Guard: a refresh token newer than its row moves the row forward (`AuthService.exchange`, `.logout`)
@Suite("Sessions after the database went back in time")
struct RollbackTests {
    @Test("a refresh token that is newer than its row moves the row forward and does not end the session")
    func forward() async throws {
        try await SignInApp.run { app in
            let signedIn = try await app.signIn()
            let child = try await app.refresh(signedIn.refreshToken).decode(TokenResponse.self)
            let grandchild = try await app.refresh(child.refreshToken).decode(TokenResponse.self)
            // Both exchanges are forgotten.
            try await app.postgres.execute("UPDATE sessions SET generation = 0")
            let next = try await app.refresh(grandchild.refreshToken)
            #expect(next.status == 200)
            #expect(try await app.count("SELECT generation AS count FROM sessions") == 3)
            // Tokens are used once as ever.
            #expect(try await app.refresh(try next.decode(TokenResponse.self).refreshToken).status == 200)
            #expect(try await app.refresh(child.refreshToken).status == 401)
        }
    }

    @Test("a client may sign out with a token that is newer than its row")
    func logout() async throws {
        try await SignInApp.run { app in
            let signedIn = try await app.signIn()
            let child = try await app.refresh(signedIn.refreshToken).decode(TokenResponse.self)
            let grandchild = try await app.refresh(child.refreshToken).decode(TokenResponse.self)
            try await app.postgres.execute("UPDATE sessions SET generation = 0")
            #expect(try await app.logout(grandchild.refreshToken).status == 204)
            #expect(try await app.me(grandchild.accessToken).status == 401)
        }
    }

    /// Guard: the end of all sessions is one journal record (`sessions_record_end` (`is_restoring`))
    @Test("the end of a single session is journaled, and ending all of them is not journaled one by one")
    func bulk() async throws {
        try await SignInApp.run { app in
            for _ in 0..<3 { _ = try await app.signIn() }
            let records: SQL = "SELECT count(*) AS count FROM erasures WHERE kind = 'session'"
            let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
            let first = try #require(
                try await app.auth.endSessions(after: zero, limit: 2, startedBy: .now + 60))
            #expect(first.changed == 2)
            let rest = try #require(
                try await app.auth.endSessions(after: first.last, limit: 2, startedBy: .now + 60))
            #expect(rest.changed == 1)
            #expect(try await app.auth.endSessions(after: rest.last, limit: 2, startedBy: .now) == nil)
            #expect(try await app.count(records) == 0)
            let one = try await app.signIn()
            #expect(try await app.logout(one.refreshToken).status == 204)
            #expect(try await app.count(records) == 1)
        }
    }
}
