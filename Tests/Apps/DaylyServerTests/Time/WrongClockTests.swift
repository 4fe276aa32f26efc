import DaylyTesting
import Foundation
import Postgres
import Synchronization
import Testing

@testable import DaylyServer

/// PostgreSQL's clock jumps ahead while the bucket's stays right, and is set right again.
@Suite("A clock that is wrong for a moment")
struct WrongClockTests {
    /// The whole service over a database whose time the test moves, and a bucket that has a time of its own.
    private struct World: Sendable {
        let service: WholeService
        let clock: TestClock
        let bucket: BucketClock

        /// The bucket has the database's time from now on.
        func agree() { bucket.set(clock.now) }

        func job(_ name: String) async throws {
            try await #require(service.composition.jobs.first { $0.name == name }).runOnce()
        }

        /// Everything but counts over time, the leases of jobs, and what audits have looked at.
        func lastingRows() async throws -> [String] {
            try await service.rows().filter { !$0.hasPrefix("job_leases ") && !$0.hasPrefix("audit") }
        }

        /// Everything of the products.
        func productRows() async throws -> [String] {
            try await service.rows().filter { row in
                ["focus_", "companion_", "idempotency_keys "].contains { row.hasPrefix($0) }
            }
        }

        func token(of person: Person) async throws -> String {
            try await service.token(of: person.id, person.session, now: clock.now)
        }
    }

    private final class BucketClock: Sendable {
        private let date: Mutex<Date>

        init(_ date: Date) { self.date = Mutex(date) }

        var now: Date { date.withLock { $0 } }
        func set(_ now: Date) { date.withLock { $0 = now } }
    }

    private static func run(_ body: @escaping @Sendable (World) async throws -> Void) async throws {
        try await withTimeMachine { database, clock in
            let bucket = BucketClock(clock.now)
            var overrides = ServerOverrides()
            overrides.databaseClockAge = .zero
            overrides.storeDate = { bucket.now }
            try await WholeService.serve([:], on: database, overrides: overrides) { service in
                let world = World(service: service, clock: clock, bucket: bucket)
                try await world.job("clocks")
                try await body(world)
            }
        }
    }

    /// A scene in which things of every product end soon.
    private static func scene(_ world: World) async throws -> WholeService.Scene {
        let scene = try await world.service.scene()
        let owner = scene.owner.id
        for statement: SQL in [
            "SELECT make_focus_partitions(current_date - 16, current_date + 21)",
            """
            INSERT INTO focus_sessions (id, user_id, goal_minutes, mode, beast_mode, state, started_at)
            VALUES (gen_random_uuid(), \(owner), 25, 'block_list', false, 'running', now() - interval '1 minute')
            """,
            """
            INSERT INTO focus_due (user_id, kind, day, due_at)
            VALUES (\(owner), 'results', (now() AT TIME ZONE 'UTC')::date + 1, now() + interval '1 day')
            """,
            """
            INSERT INTO focus_weeks (user_id, week, points, streak_count, longest_streak, xp)
            VALUES (\(owner), date_trunc('week', now() AT TIME ZONE 'UTC')::date, 10, 1, 600, 1)
            """,
            "UPDATE companion_days SET has_events = true WHERE user_id = \(owner)",
            """
            INSERT INTO verifications (id, phone_number, code_hmac, expires_at)
            VALUES (gen_random_uuid(), '+14155550177', '\\x00', now() + interval '5 minutes')
            """,
        ] { try await world.service.postgres.execute(statement) }
        return scene
    }

    /// Guard: no job does anything at a wrong clock (`ClockWatch.whileAgreed`,
    /// `PostgresTransaction.requireAgreedTime`)
    @Test("no job changes a row while the clocks disagree, and each does its work when the time has come")
    func jobs() async throws {
        try await Self.run { world in
            try await world.job("focus_purge")
            _ = try await Self.scene(world)
            try await world.service.runJobs()
            try await world.service.runJobs()
            var before = try await world.lastingRows()
            try await world.clock.advance(by: .days(9))
            for job in world.service.composition.jobs {
                try await job.runOnce()
                let after = try await world.lastingRows()
                #expect(after == before, "\(job.name)")
                before = after
            }
            // The time is right after all.
            world.agree()
            try await world.service.runJobs()
            let left = try await world.service.postgres.first(
                """
                SELECT (SELECT count(*) FROM focus_sessions WHERE state = 'running') AS sessions,
                    (SELECT count(*) FROM focus_due WHERE due_at <= now()) AS due,
                    (SELECT count(*) FROM focus_closes WHERE week > (now() AT TIME ZONE 'UTC')::date - 15) AS closes,
                    (SELECT count(*) FROM companion_settings WHERE ends_at <= now()) AS days,
                    (SELECT count(*) FROM companion_days WHERE summary_open AND has_events) AS summaries,
                    (SELECT count(*) FROM companion_days WHERE nightly_open AND has_events) AS evenings,
                    (SELECT count(*) FROM verifications) AS codes, (SELECT count(*) FROM photos) AS photos
                """)
            for name in ["sessions", "due", "days", "summaries", "evenings", "codes", "photos"] {
                #expect(try left?.get(name) == 0, "\(name)")
            }
            #expect(try left?.get("closes") != 0)
        }
    }

    /// Calls that have the same effect at any time: they delete, agree to something, or refuse what is signed by nobody.
    private static let timeless: Set<String> = [
        "DELETE /v1/focus/partners/{}", "POST /v1/focus/partners/{}/accept", "DELETE /v1/focus/following/{}",
        "DELETE /v1/focus/followers/{}", "POST /v1/focus/pro", "POST /v1/companion/survey",
        "POST /v1/companion/purchases", "POST /v1/companion/store-notifications",
    ]
    private static let departures: Set<String> = [
        "DELETE /v1/focus/profile", "DELETE /v1/companion/settings",
    ]

    /// Guard: Focus changes nothing at a wrong clock (`FocusMemberStore.requireLocked`,
    /// `FocusProfileStore.requireLocked`, `FocusUserStore.lockIfPresent`)
    /// Guard: Companion changes nothing at a wrong clock, and reads end no day
    /// (`CompanionAccounts.takeLocked`, `.lockToRead`)
    /// Guard: the time zone is not changed at a wrong clock (`UserStore.timeZoneChange`)
    @Test("while the clocks disagree the products change nothing and say so, and can be read and left")
    func calls() async throws {
        try await Self.run { world in
            let scene = try await Self.scene(world)
            let before = try await world.productRows()
            try await world.clock.advance(by: .days(9))
            var reach = Reach(scene)
            reach.values["member"] = scene.member.name
            let token = try await world.token(of: scene.owner)
            let rules = RouteRule.all.filter {
                $0.path.hasPrefix("/v1/focus/") || $0.path.hasPrefix("/v1/companion/")
            }
            for rule in rules where !Self.timeless.union(Self.departures).contains(rule.name) {
                let answer = try await world.service.call(rule, reach, token: token)
                if rule.method == "GET" {
                    #expect(answer.status == rule.access.status, "\(rule.name): \(answer.text)")
                } else {
                    #expect(answer.status == 503, "\(rule.name): \(answer.status) \(answer.text)")
                    #expect(answer.members["code"] as? String == "unavailable", "\(rule.name)")
                }
            }
            let export = try await world.service.call("GET", "/v1/users/me/export", token: token)
            #expect(export.status == 200)
            let zone = try await world.service.call(
                "PATCH", "/v1/users/me", token: token, body: #"{"time_zone": "Europe/Berlin"}"#)
            #expect(zone.status == 503)
            #expect(try await world.productRows() == before)
            for names in [Self.timeless, Self.departures] {
                for rule in rules where names.contains(rule.name) {
                    let answer = try await world.service.call(rule, reach, token: token)
                    #expect(answer.status == rule.access.status, "\(rule.name): \(answer.text)")
                }
            }
        }
    }

    /// Guard: a client is not told that its session is over by a wrong clock (`AuthService.exchange`)
    @Test("an expired session that is not over by the bucket's clock is not said to be over")
    func sessions() async throws {
        try await Self.run { world in
            let ada = try await world.service.person()
            let refresh = {
                try await world.service.call(
                    "POST", "/v1/auth/refresh", body: #"{"refresh_token": "\#(ada.refreshToken)"}"#)
            }
            let right = world.clock.now
            try await world.clock.advance(by: .days(61))
            #expect(try await refresh().status == 503)
            world.agree()
            #expect(try await refresh().status == 401)
            try await world.clock.set(to: right)
            world.agree()
            #expect(try await refresh().status == 200)
        }
    }

    /// Guard: a code that was sent at a time ahead is not open (`Verification.columns`)
    @Test(
        "a code that was sent at a time ahead is not open until then, and the number gets another one at once"
    )
    func codes() async throws {
        let lastDay = Date().addingTimeInterval(80 * 86_400).ISO8601Format(.iso8601.year().month().day())
        let reviewer = ["DAYLY_AUTH_REVIEWERS": "+14155550199=123456@\(lastDay)"]
        try await WholeService.travel(reviewer) { service, clock in
            func code() async throws -> String {
                let answer = try await service.call(
                    "POST", "/v1/auth/request-verification", body: #"{"phone_number": "+14155550199"}"#)
                return try #require(answer.members["verification_id"] as? String, "\(answer.text)")
            }
            func verify(_ id: String) async throws -> Int {
                try await service.call(
                    "POST", "/v1/auth/verify", body: #"{"verification_id": "\#(id)", "code": "123456"}"#
                ).status
            }
            let right = clock.now
            try await clock.advance(by: .days(9))
            let early = try await code()
            try await clock.set(to: right)
            #expect(try await verify(early) == 401)
            #expect(try await verify(try await code()) == 200)
        }
    }

    /// Guard: a doubted time is judged before a call is refused (`PostgresClient.transaction`,
    /// `TimeAgreement.settle`)
    @Test("a bucket's clock that was set right is believed at the next call")
    func corrected() async throws {
        try await Self.run { world in
            let scene = try await Self.scene(world)
            try await world.clock.advance(by: .days(1))
            let token = try await world.token(of: scene.owner)
            let rate = {
                try await world.service.call(
                    "PUT", "/v1/focus/temptations", token: token, body: #"{"enabled": true}"#)
            }
            #expect(try await rate().status == 503)
            world.agree()
            #expect(try await rate().status == 200)
        }
    }

    /// Guard: commands of the products do nothing at a wrong clock (`DatabaseAndBucket.onAgreedTime`)
    @Test("dayly focus run and dayly companion run do nothing at a time that the bucket does not confirm")
    func commands() async throws {
        try await withTimeMachine { database, clock in
            let folder = try TemporaryFolder()
            func run(_ product: String) async throws -> Command.Outcome {
                try await Command(
                    arguments: [product, "run"],
                    environment: Fixture.development(in: folder, database: database.url)
                ).run()
            }
            for product in ["focus", "companion"] { #expect(try await run(product).status == 0) }
            try await clock.advance(by: .days(9))
            let before = try await database.client.everyRow()
            for product in ["focus", "companion"] {
                let outcome = try await run(product)
                #expect(outcome.status == 1 && outcome.errors.contains("Nothing is done"), "\(outcome)")
            }
            #expect(try await database.client.everyRow() == before)
        }
    }
}
