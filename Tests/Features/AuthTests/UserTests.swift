@testable import Auth
import DaylyAPI
import DaylyTesting
import FeatureKit
import Foundation
import Postgres
import Synchronization
import Testing

@Suite("One's own account")
struct UserTests {
    private func patch(_ app: SignInApp, _ json: String, _ token: String) async throws -> HTTPAnswer {
        try await app.call(.patch, "users/me", json, token: token)
    }

    @Test("given members change, and omitted ones stay")
    func patches() async throws {
        try await SignInApp.run { app in
            let token = try await app.signIn(Fixtures.phoneNumber(), #", "first_name": "Ada""#).accessToken
            let renamed = try await patch(app, #"{"first_name": " Grace "}"#, token).decode(User.self)
            #expect(renamed.firstName == "Grace")
            #expect(renamed.discoverable)
            let hidden = try await patch(app, #"{"discoverable": false, "unknown": 1}"#, token).decode(
                User.self)
            #expect(hidden.firstName == "Grace")
            #expect(!hidden.discoverable)
            let same = try await patch(app, "{}", token)
            #expect(same.status == 200)
            #expect(try same.decode(User.self) == hidden)
        }
    }

    /// Guard: a time zone is an exact name; null is refused (`TimeZoneStore`, `UserPatch`)
    @Test(
        "null, wrong types and names that break the rules are 400 with a pointer",
        arguments: [
            (#"{"first_name": null}"#, "first_name"), (#"{"time_zone": null}"#, "time_zone"),
            (#"{"discoverable": null}"#, "discoverable"), (#"{"discoverable": "yes"}"#, "discoverable"),
            (#"{"first_name": 5}"#, "first_name"), (#"{"first_name": "   "}"#, "first_name"),
            (#"{"first_name": "a\u0007b"}"#, "first_name"), (#"{"first_name": "\u202Eevil"}"#, "first_name"),
            (#"{"time_zone": "Mars/Olympus"}"#, "time_zone"),
            (#"{"time_zone": "posix/Europe/Berlin"}"#, "time_zone"),
            (#"{"time_zone": "EST5EDT4,M3.2.0,M11.1.0"}"#, "time_zone"),
            (#"{"time_zone": "+02:00"}"#, "time_zone"),
            (#"{"quiet_from": "22:00"}"#, "quiet_to"), (#"{"quiet_to": "22:00"}"#, "quiet_from"),
            (#"{"quiet_from": null}"#, "quiet_to"),
            (#"{"quiet_from": "22:00", "quiet_to": null}"#, "quiet_to"),
            (#"{"quiet_from": "24:00", "quiet_to": "07:00"}"#, "quiet_from"),
            (#"{"quiet_from": "22:00", "quiet_to": "7:00"}"#, "quiet_to"),
            (#"{"quiet_from": "22:60", "quiet_to": "07:00"}"#, "quiet_from"),
            (#"{"quiet_from": "22:00", "quiet_to": "07:00:00"}"#, "quiet_to"),
            (#"{"quiet_from": "\u0662\u0662:00", "quiet_to": "07:00"}"#, "quiet_from"),
            (#"{"quiet_from": "22:00", "quiet_to": "22:00"}"#, "quiet_to"),
            (#"{"quiet_from": 22, "quiet_to": 7}"#, "quiet_from"),
        ])
    func invalid(json: String, member: String) async throws {
        try await SignInApp.run { app in
            let token = try await app.signIn().accessToken
            let answer = try await patch(app, json, token)
            #expect(answer.status == 400)
            #expect(answer.code == "invalid_request")
            #expect(answer.text.contains("/\(member)"))
        }
    }

    @Test("quiet hours are set and removed together")
    func quietHours() async throws {
        try await SignInApp.run { app in
            let token = try await app.signIn().accessToken
            let fresh = try await app.call(.get, "users/me", token: token)
            #expect(fresh.text.contains(#""quiet_from":null,"quiet_to":null"#))
            let set = try await patch(app, #"{"quiet_from": "22:30", "quiet_to": "06:00"}"#, token)
            #expect(set.text.contains(#""quiet_from":"22:30","quiet_to":"06:00""#))
            let kept = try await patch(app, #"{"first_name": "Grace"}"#, token).decode(User.self)
            #expect(kept.quietFrom == "22:30" && kept.quietTo == "06:00")
            let ended = try await patch(app, #"{"quiet_from": null, "quiet_to": null}"#, token)
            #expect(ended.status == 200)
            #expect(ended.text.contains(#""quiet_from":null,"quiet_to":null"#))
        }
    }

    @Test("a name may have fifty characters and not fifty-one")
    func nameLength() async throws {
        try await SignInApp.run { app in
            let token = try await app.signIn().accessToken
            let longest = String(repeating: "ä", count: 50)
            #expect(try await patch(app, #"{"first_name": "\#(longest)"}"#, token).status == 200)
            #expect(try await patch(app, #"{"first_name": "\#(longest)x"}"#, token).status == 400)
        }
    }

    @Test("the time zone changes once in 24 hours, and setting it to the same zone is not a change")
    func timeZone() async throws {
        try await SignInApp.run { app in
            let token = try await app.signIn().accessToken
            #expect(try await patch(app, #"{"time_zone": "UTC"}"#, token).status == 200)
            #expect(try await patch(app, #"{"time_zone": "Asia/Tokyo"}"#, token).status == 200)
            #expect(try await patch(app, #"{"time_zone": "Asia/Tokyo"}"#, token).status == 200)
            let refused = try await patch(app, #"{"time_zone": "UTC", "first_name": "Eve"}"#, token)
            #expect(refused.status == 409)
            #expect(refused.code == "time_zone_changed_recently")
            let retryAt = try Date(try #require(refused.member("retry_at")), strategy: .iso8601)
            #expect(abs(retryAt.timeIntervalSinceNow - 86_400) < 30)
            let user = try await app.me(token).decode(User.self)
            #expect(user.timeZone == "Asia/Tokyo")
            #expect(user.firstName == nil)
            try await app.postgres.execute(
                "UPDATE users SET time_zone_changed_at = now() - interval '24 hours'")
            #expect(try await patch(app, #"{"time_zone": "UTC"}"#, token).status == 200)
        }
    }

    /// Guard: a user's row is locked while the time zone is judged; once in 24 hours
    /// (`UserStore.requireLocked`, `AuthService.update`)
    @Test("of twenty changes of the time zone at once, one succeeds")
    func timeZoneRace() async throws {
        try await SignInApp.run { app in
            let token = try await app.signIn().accessToken
            let zones = ["Asia/Tokyo", "Europe/Berlin"]
            // The first call reads the zones' names, which takes long.
            #expect(try await patch(app, #"{"time_zone": "UTC"}"#, token).status == 200)
            let statuses = try await app.holding("SELECT id FROM users FOR UPDATE") {
                try await atOnce(20) { index in
                    try await patch(app, #"{"time_zone": "\#(zones[index % 2])"}"#, token).status
                }
            }
            #expect(Set(statuses) == [200, 409])
            let zone = try await app.me(token).decode(User.self).timeZone
            // Requests for the winner's zone changed nothing; the other ten were refused.
            #expect(zones.contains(zone))
            #expect(statuses.filter { $0 == 409 }.count == 10)
        }
    }

    /// Guard: deleting an account deletes its codes, runs the hooks and resets no limit (`UserStore.delete`,
    /// `AuthService.delete`)
    @Test("deleting an account ends its tokens and removes its number and id")
    func deletes() async throws {
        let deleted = DeletedUsers()
        try await SignInApp.run(onErase: [{ tx, user in try deleted.note(tx, user) }]) { app in
            let number = Fixtures.phoneNumber()
            let signedIn = try await app.signIn(number)
            let other = try await app.signIn()
            try await app.forgetLimits()
            let underWay = try await app.startedVerification(number, count: 2)
            #expect(try await app.call(.delete, "users/me", token: signedIn.accessToken).status == 204)
            #expect(deleted.users == [UserID(signedIn.user.id.uuid)])
            #expect(try await app.me(signedIn.accessToken).status == 401)
            #expect(try await app.refresh(signedIn.refreshToken).status == 401)
            #expect(try await app.verify(underWay.id, underWay.code).status == 401)
            for table in ["users", "sessions", "verifications", "rate_counters"] {
                let found = try await app.count(
                    """
                    SELECT count(*) AS count FROM \(identifier: table) AS found
                    WHERE found::text LIKE '%' || \(String(number.rawValue.dropFirst())) || '%'
                        OR found::text LIKE '%' || \(signedIn.user.id.description) || '%'
                    """)
                #expect(found == 0, "\(table)")
            }
            #expect(try await app.me(other.accessToken).status == 200)
            try await app.forgetLimits()
            let again = try await app.signIn(number)
            #expect(again.isNewUser == true)
            #expect(again.user.id != signedIn.user.id)
        }
    }

    /// Guard: deleting an account deletes its codes, runs the hooks and resets no limit (`UserStore.delete`,
    /// `AuthService.delete`)
    @Test("deleting an account does not reset the number's counters")
    func limitsOutliveTheAccount() async throws {
        try await SignInApp.run { app in
            let number = Fixtures.phoneNumber()
            let signedIn = try await app.signIn(number)
            #expect(try await app.call(.delete, "users/me", token: signedIn.accessToken).status == 204)
            #expect(try await app.requestCode(number).status == 429)
        }
    }

    /// Guard: deleting an account deletes its codes, runs the hooks and resets no limit (`UserStore.delete`,
    /// `AuthService.delete`)
    @Test("an account stays when one of its deletion hooks fails")
    func failingHook() async throws {
        struct Broken: Error {}
        try await SignInApp.run(onErase: [{ _, _ in throw Broken() }]) { app in
            let signedIn = try await app.signIn()
            #expect(try await app.call(.delete, "users/me", token: signedIn.accessToken).status == 500)
            #expect(try await app.me(signedIn.accessToken).status == 200)
        }
    }
}

/// Sees in the transaction that the user is still there.
private final class DeletedUsers: Sendable {
    private let noted = Mutex<[UserID]>([])
    var users: [UserID] { noted.withLock { $0 } }

    func note(_ tx: PostgresTransaction, _ user: UserID) throws {
        let isThere = try tx.first("SELECT id FROM users WHERE id = \(user)") != nil
        if isThere { noted.withLock { $0.append(user) } }
    }
}
