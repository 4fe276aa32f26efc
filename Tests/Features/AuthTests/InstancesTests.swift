import DaylyAPI
import DaylyTesting
import Foundation
import Postgres
import Testing

@testable import Auth

/// Refreshing with several instances over one database, each with connections of its own.
@Suite("Refreshing on two instances")
struct InstancesTests {
    private func withTwo(
        _ body: @escaping @Sendable (SignInApp, [AuthService]) async throws -> Void
    ) async throws {
        try await SignInApp.run { app in try await app.withTwo { try await body(app, $0) } }
    }

    /// Guard: two instances exchange a token once; a repeat gets the same child at either
    /// (`SessionStore.lockIfPresent`, `AuthService.exchange`)
    @Test(
        "twenty refreshes at once over both instances give one child, and all their access tokens are valid")
    func race() async throws {
        try await withTwo { app, instances in
            let signedIn = try await app.signIn()
            let answers = try await app.holding("SELECT id FROM sessions FOR UPDATE") {
                try await atOnce(20) { try await instances[$0 % 2].refresh(signedIn.refreshToken) }
            }
            #expect(Set(answers.map(\.refreshToken)).count == 1)
            for answer in answers { #expect(try await app.me(answer.accessToken).status == 200) }
            #expect(try await app.count("SELECT generation::bigint AS count FROM sessions") == 1)
            let child = try #require(answers.first).refreshToken
            #expect(try await instances[1].refresh(child).refreshToken != child)
        }
    }

    /// Guard: two instances exchange a token once; a repeat gets the same child at either
    /// (`SessionStore.lockIfPresent`, `AuthService.exchange`)
    @Test("a client that loses every first answer stays signed in, whichever instance it asks")
    func lostReplies() async throws {
        try await withTwo { app, instances in
            var token = try await app.signIn().refreshToken
            for round in 0..<10 {
                let lost = try await instances[round % 2].refresh(token)
                try await app.ageExchanges(by: .seconds(86_400))
                let heard = try await instances[(round + 1) % 2].refresh(token)
                #expect(heard.refreshToken == lost.refreshToken)
                #expect(try await app.me(lost.accessToken).status == 200)
                token = heard.refreshToken
            }
            #expect(try await app.count("SELECT generation::bigint AS count FROM sessions") == 10)
        }
    }

    @Test("reuse on one instance ends the session on both, although both answers are errors")
    func reuse() async throws {
        try await withTwo { app, instances in
            let signedIn = try await app.signIn()
            let child = try await instances[0].refresh(signedIn.refreshToken)
            let grandchild = try await instances[1].refresh(child.refreshToken)
            await #expect(throws: AuthError.invalidRefreshToken) {
                try await instances[0].refresh(signedIn.refreshToken)
            }
            let ended = "SELECT count(*) AS count FROM sessions WHERE ended_at IS NOT NULL" as SQL
            #expect(try await app.count(ended) == 1)
            await #expect(throws: AuthError.invalidRefreshToken) {
                try await instances[1].refresh(grandchild.refreshToken)
            }
            #expect(try await app.me(grandchild.accessToken).status == 401)
        }
    }

    @Test("when twenty clients present a spent token at once, the session ends, and none gets a token")
    func reuseRace() async throws {
        try await withTwo { app, instances in
            let signedIn = try await app.signIn()
            let child = try await instances[0].refresh(signedIn.refreshToken)
            _ = try await instances[1].refresh(child.refreshToken)
            let answers = try await app.holding("SELECT id FROM sessions FOR UPDATE") {
                try await atOnce(20) { try? await instances[$0 % 2].refresh(signedIn.refreshToken) }
            }
            #expect(answers.allSatisfy { $0 == nil })
            #expect(try await app.me(child.accessToken).status == 401)
        }
    }
}
