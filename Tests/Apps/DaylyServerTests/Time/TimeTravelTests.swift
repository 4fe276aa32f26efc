import DaylyAPI
import DaylyTesting
import FeatureKit
import Foundation
import Groups
import NIOCore
import Postgres
import Testing

@testable import DaylyServer

/// Guard: file URLs and tickets go by PostgreSQL's clock (`DatabaseClock`)
@Suite("Time, as the service's clients live through it")
struct TimeTravelTests {
    @Test("a photo: sent, seen for 48 hours less a second, gone from every answer, then from rows and files")
    func photo() async throws {
        try await WholeService.travel { service, clock in
            let people = try await TwoPeople(service, clock)
            let picture = ByteBuffer(bytes: Pictures.png())
            let sent = try await people.send(picture, token: people.token(of: people.ada))
            try #require(sent.status == 201, "\(sent.text)")
            let photo = try sent.decode(Photo.self)
            #expect(photo.expiresAt == clock.now.addingTimeInterval(48 * 3600))
            #expect(try await service.fetch(photo.url).status == 200)
            let first = try #require(try await people.feed().first)

            try await clock.advance(by: .hours(1))
            #expect(try await service.fetch(first.url).status == 404, "a URL outlives its hour")
            try await clock.advance(by: .hours(47) - .seconds(1))
            try await service.runJobs()
            let last = try #require(try await people.feed().first)
            #expect(last.id == photo.id && last.urlExpiresAt <= photo.expiresAt)
            #expect(try await service.fetch(last.url).status == 200)

            try await clock.advance(by: .seconds(1))
            let (ada, bob) = (try await people.token(of: people.ada), try await people.token(of: people.bob))
            #expect(try await people.feed().isEmpty)
            #expect(try await service.call("GET", "/v1/photos/\(photo.id)", token: bob).status == 404)
            #expect(try await service.fetch(last.url).status == 404)
            #expect(try await people.send(picture, token: ada).status == 410)
            try await service.runJobs()
            #expect(try await service.composition.objectStore.list(prefix: "").objects.isEmpty)
            for table in ["photos", "stored_objects"] { #expect(try await service.count(table) == 0) }
            // Two days on, so are the sender's days.
            #expect(try await people.send(picture, key: "next", token: ada).status == 201)
        }
    }

    @Test(
        "a code has five minutes, an access token fifteen, a ticket a day, an invitation a week, a session 60 days"
    )
    func lifetimes() async throws {
        let lastDay = Date().addingTimeInterval(80 * 86_400).ISO8601Format(.iso8601.year().month().day())
        let reviewer = ["DAYLY_AUTH_REVIEWERS": "+14155550199=123456@\(lastDay)"]
        try await WholeService.travel(reviewer) { service, clock in
            // The code.
            let stale = try await service.requestCode("+14155550199")
            try await clock.advance(by: .minutes(5))
            #expect(try await service.verify(stale, "123456").status == 401)
            let fresh = try await service.requestCode("+14155550199")
            try await clock.advance(by: .minutes(5) - .milliseconds(1))
            let signedIn = try await service.verify(fresh, "123456")
            try #require(signedIn.status == 200, "\(signedIn.text)")
            var tokens = try signedIn.decode(TokenResponse.self)

            // The access token.
            let start = clock.now
            try await clock.advance(by: .minutes(14))
            let me = { (token: String) in try await service.call("GET", "/v1/users/me", token: token).status }
            #expect(try await me(tokens.accessToken) == 200)
            try await clock.set(to: start.addingTimeInterval(900))
            #expect(try await me(tokens.accessToken) == 401)
            tokens = try await service.refresh(tokens.refreshToken).decode(TokenResponse.self)

            // The ticket and the invitation.
            let people = try await TwoPeople(service, clock)
            let ticket = try await people.ticket()
            let picture = ByteBuffer(bytes: Pictures.png())
            // The ticket's own time may be ahead of the test's by as long as its query took.
            try await clock.advance(by: .hours(24) + .seconds(2))
            let late = try await people.send(picture, token: ticket)
            #expect(late.status == 401, "\(late.status) \(late.text)")
            let code = try await people.invite("+14155550199")
            try await clock.advance(by: .days(7) - .milliseconds(1))
            tokens = try await service.refresh(tokens.refreshToken).decode(TokenResponse.self)
            let open = try await service.call("GET", "/v1/invites", token: tokens.accessToken)
            #expect(open.text.contains(code))
            try await clock.advance(by: .milliseconds(1))
            let redeemed = try await service.call(
                "POST", "/v1/invites/redeem", token: tokens.accessToken, body: #"{"code": "\#(code)"}"#)
            #expect(redeemed.status == 404)

            // The session, and what is kept of all that.
            try await clock.advance(by: .days(62))
            #expect(try await service.refresh(tokens.refreshToken).status == 401)
            try await clock.advance(by: .days(31))
            try await service.runJobs()
            for table in ["verifications", "sessions", "invites", "rate_counters", "upload_keys"] {
                #expect(try await service.count(table) == 0, "\(table)")
            }
        }
    }

    // MARK: That nothing escapes the clock

    /// Guard: neither SQL nor a feature has a clock of its own (`TestClock`)
    @Test("what the schema says of the time is what the clock says")
    func schema() async throws {
        try await withTimeMachine { database, _ in
            let defaults = try await database.client.query(
                "SELECT pg_get_expr(adbin, adrelid) AS text FROM pg_attrdef"
            ).map { try $0.get("text") as String }
            let bodies = try await database.client.query(
                """
                SELECT pg_get_functiondef(oid) AS text FROM pg_proc
                WHERE pronamespace = 'public'::regnamespace AND proname NOT LIKE '%timestamp' AND proname <> 'now'
                """
            ).map { try $0.get("text") as String }
            #expect(defaults.count { $0.contains("now()") } > 10)
            #expect(bodies.contains { $0.contains("now()") })
            for text in defaults + bodies { #expect(!text.contains("pg_catalog."), "\(text)") }
        }
    }

    /// Guard: neither SQL nor a feature has a clock of its own (`TestClock`)
    @Test("no SQL asks for the time by a name that tests cannot move, no feature reads its own clock")
    func sources() throws {
        let keywords =
            #/\b(current_timestamp|current_date|current_time|localtimestamp|timeofday)\b|pg_catalog\.\w+\(\)|'(now|today|tomorrow|yesterday)'/#
            .ignoresCase()
        let ownClock = #/\bDate\(\)|Date\.now|timeIntervalSinceNow/#
        var files = 0
        for folder in ["Sources", "migrations"] {
            let root = Shell.root.appendingPathComponent(folder)
            for case let name as String in FileManager.default.enumerator(atPath: root.path) ?? .init()
            where name.hasSuffix(".swift") || name.hasSuffix(".sql") {
                files += 1
                let text = try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
                for line in text.split(separator: "\n") {
                    #expect(!line.contains(keywords), "\(name): \(line)")
                    // Handed in from outside it may be, and this one is then only what it is by default.
                    let isService = name.contains(#/^(Features|Products/(Photos|\w+/(Service|Rules)))//#)
                    if isService, !line.contains("= { Date() }") {
                        #expect(!line.contains(ownClock), "\(name): \(line)")
                    }
                }
            }
        }
        #expect(files > 200)
    }
}

/// Ada and Bob, in a group.
private struct TwoPeople: Sendable {
    let service: WholeService
    let clock: TestClock
    let ada: Person
    let bob: Person
    private let group = UUID.version7()

    private var name: String { group.uuidString.lowercased() }
    var path: String { "/v1/groups/\(name)/photos" }

    init(_ service: WholeService, _ clock: TestClock) async throws {
        self.service = service
        self.clock = clock
        ada = try await service.person()
        bob = try await service.person(name: "Bob")
        try await service.group("Breakfast", id: GroupID(group), of: [ada.id, bob.id])
    }

    /// Good now, however much time has passed.
    func token(of person: Person) async throws -> String {
        try await service.token(of: person.id, person.session, now: clock.now)
    }

    func feed() async throws -> [Photo] {
        try await service.call("GET", path, token: token(of: bob)).decode(PhotoFeed.self).photos
    }

    func send(_ picture: ByteBuffer, key: String = "first", token: String) async throws -> HTTPAnswer {
        try await service.call(
            "POST", path, token: token, bytes: picture, type: "image/png", idempotencyKey: key)
    }

    func ticket() async throws -> String {
        try await service.call(
            "POST", "/v1/groups/\(name)/upload-tickets", token: token(of: ada),
            body: #"{"idempotency_key": "first"}"#
        ).decode(UploadTicket.self).ticket
    }

    func invite(_ number: String) async throws -> String {
        let answer = try await service.call(
            "POST", "/v1/invites/send", token: token(of: ada),
            body: #"{"group_id": "\#(name)", "phone_numbers": ["\#(number)"]}"#)
        return try #require(try answer.decode(InvitesSent.self).sent.first?.code)
    }
}

extension WholeService {
    fileprivate func requestCode(_ number: String) async throws -> String {
        try await call("POST", "/v1/auth/request-verification", body: #"{"phone_number": "\#(number)"}"#)
            .decode(VerificationStarted.self).verificationID.description
    }

    fileprivate func verify(_ verification: String, _ code: String) async throws -> HTTPAnswer {
        try await call(
            "POST", "/v1/auth/verify", body: #"{"verification_id": "\#(verification)", "code": "\#(code)"}"#)
    }

    fileprivate func refresh(_ token: String) async throws -> HTTPAnswer {
        try await call("POST", "/v1/auth/refresh", body: #"{"refresh_token": "\#(token)"}"#)
    }

    /// The answer to a signed URL of the filesystem store.
    fileprivate func fetch(_ url: String) async throws -> HTTPAnswer {
        try await call("GET", url.replacing(composition.configuration.http.publicURL, with: ""))
    }

    fileprivate func count(_ table: String) async throws -> Int {
        try await count("SELECT count(*) AS count FROM \(identifier: table)" as SQL)
    }
}
