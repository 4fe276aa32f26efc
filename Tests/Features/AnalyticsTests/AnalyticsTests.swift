import Auth
import DaylyAPI
import DaylyTesting
import Foundation
import HTTPTesting
import HummingbirdTesting
import Logging
import Postgres
import RateLimiting
import ServiceLifecycle
import Testing

@testable import Analytics

/// The route over a database of its own.
private struct AnalyticsApp: Sendable {
    let postgres: PostgresClient
    let client: any TestClientProtocol
    let tokens: [String]
    let flush: AnalyticsFlush

    /// With two people who are signed in.
    static func run(_ body: @escaping @Sendable (AnalyticsApp) async throws -> Void) async throws {
        try await withDatabase { postgres in
            var tokens: [String] = []
            for _ in 0..<2 {
                let user = try await Fixtures.user(in: postgres)
                tokens.append(try await Fixtures.accessToken(in: postgres, for: user))
            }
            let feature = AnalyticsFeature(platform: .testing(postgres), flushInterval: .seconds(3_600))
            try await withClient(
                of: feature.routes, authenticator: try await Fixtures.authenticator(postgres)
            ) { [tokens] client in
                try await body(
                    AnalyticsApp(postgres: postgres, client: client, tokens: tokens, flush: feature.flush))
            }
        }
    }

    func report(_ events: String, by person: Int? = 0) async throws -> HTTPAnswer {
        try await client.call(
            .post, "/v1/analytics/events", #"{"events": \#(events)}"#, token: person.map { tokens[$0] })
    }

    /// The database's totals after the process has written its tally, by name, such as `true app_opened 3`.
    func totals() async throws -> [String] {
        try await flush.runOnce()
        return try await stored()
    }

    /// Whether the days of a name are today, or yesterday by a test that a midnight has met, and its sum.
    func stored() async throws -> [String] {
        try await postgres.query(
            """
            SELECT bool_and((now() AT TIME ZONE 'UTC')::date - day BETWEEN 0 AND 1)::text
                || ' ' || name || ' ' || sum(count)::text AS total
            FROM analytics_totals
            GROUP BY name
            ORDER BY name
            """
        ).map { try $0.get("total") }
    }
}

@Suite("Counting events")
struct AnalyticsTests {
    @Test("everybody's events add up by day and name, and one without a count is one")
    func addsUp() async throws {
        try await AnalyticsApp.run { app in
            let first = try await app.report(
                #"[{"name": "app_opened"}, {"name": "invite_sent", "count": 3}, {"name": "app_opened", "count": null}]"#
            )
            #expect(first.status == 204)
            #expect(first.text.isEmpty)
            let second = try await app.report(
                #"[{"name": "photo_sent", "count": 1000}, {"name": "group_created"}, {"name": "app_opened"}]"#,
                by: 1)
            #expect(second.status == 204)
            #expect(try await app.report("[]").status == 204)
            #expect(
                try await app.totals() == [
                    "true app_opened 3", "true group_created 1", "true invite_sent 3", "true photo_sent 1000",
                ])
        }
    }

    /// Guard: a call has a hundred events, an event counts a thousand (`AnalyticsRoutes`)
    @Test(
        "what is no event is pointed at, and nothing of the call is counted",
        arguments: [
            (#"[{"name": "app_opened"}, {"name": "photo_seen"}]"#, "/events/1/name"),
            (#"[{"name": "App_Opened"}]"#, "/events/0/name"), (#"[{"name": ""}]"#, "/events/0/name"),
            (#"[{"count": 1}]"#, "/events/0/name"), (#"[{"name": 1}]"#, "/events/0/name"),
            (#"[{"name": "app_opened", "count": 0}]"#, "/events/0/count"),
            (#"[{"name": "app_opened", "count": -1}]"#, "/events/0/count"),
            (#"[{"name": "app_opened", "count": 1001}]"#, "/events/0/count"),
            // Foundation does not say where a number stands that does not fit.
            (#"[{"name": "app_opened", "count": 1.5}]"#, ""),
            (#"[{"name": "app_opened", "count": "1"}]"#, "/events/0/count"),
            (#"{"name": "app_opened"}"#, "/events"), ("null", "/events"),
        ])
    func refuses(events: String, pointer: String) async throws {
        try await AnalyticsApp.run { app in
            let answer = try await app.report(events)
            #expect(answer.status == 400)
            #expect(answer.text.contains(#""pointer":"\#(pointer)"#), "\(answer.text)")
            #expect(try await app.totals().isEmpty)
        }
    }

    /// Guard: a call has a hundred events, an event counts a thousand (`AnalyticsRoutes`)
    @Test("a hundred events are taken, a hundred and one are not")
    func atMost() async throws {
        try await AnalyticsApp.run { app in
            let event = #"{"name": "app_opened"}"#
            func events(_ count: Int) -> String {
                "[" + [String](repeating: event, count: count).joined(separator: ",") + "]"
            }
            let (tooMany, most) = (try await app.report(events(101)), try await app.report(events(100)))
            #expect(tooMany.status == 400)
            #expect(most.status == 204)
            let totals = try await app.totals()
            #expect(totals == ["true app_opened 100"])
        }
    }

    @Test("without a token nothing is counted")
    func closed() async throws {
        try await AnalyticsApp.run { app in
            let answer = try await app.report(#"[{"name": "app_opened"}]"#, by: nil)
            #expect(answer.status == 401)
            let totals = try await app.totals()
            #expect(totals.isEmpty)
        }
    }

    /// Guard: an hour has twenty exports and sixty reports of events (`AuthService.export`,
    /// `AnalyticsService`)
    @Test("of seventy calls at once sixty are counted, each whole")
    func limit() async throws {
        try await AnalyticsApp.run { app in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<70 {
                    group.addTask {
                        try await app.report(
                            #"[{"name": "photo_sent"}, {"name": "app_opened", "count": 2}]"#
                        ).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 204 } == 60)
            #expect(statuses.count { $0 == 429 } == 10)
            #expect(try await app.totals() == ["true app_opened 120", "true photo_sent 60"])
            #expect(try await app.report(#"[{"name": "app_opened"}]"#, by: 1).status == 204)
        }
    }

    /// Guard: reports are counted in memory, kept on failure, and written at shutdown (`AnalyticsTally`,
    /// `AnalyticsFlush`)
    @Test("a report does not touch the totals, and counts that cannot be written are kept for the next time")
    func inMemory() async throws {
        try await AnalyticsApp.run { app in
            try await app.postgres.execute("ALTER TABLE analytics_totals RENAME TO away")
            for _ in 1...2 {
                let answer = try await app.report(#"[{"name": "app_opened"}]"#)
                #expect(answer.status == 204)
            }
            await #expect(throws: (any Error).self) { try await app.flush.runOnce() }
            try await app.postgres.execute("ALTER TABLE away RENAME TO analytics_totals")
            #expect(try await app.totals() == ["true app_opened 2"])
            #expect(try await app.totals() == ["true app_opened 2"])
        }
    }

    /// Guard: counts of a transaction are a row of their own, for which nobody waits, and are summed up once
    /// (`AnalyticsStore.append`, `.sumUp`)
    @Test("counts of other features' transactions wait for nobody, and are in the totals after the flush")
    func notes() async throws {
        try await AnalyticsApp.run { app in
            let row: SQL = """
                INSERT INTO analytics_totals (day, name, count)
                VALUES ((now() AT TIME ZONE 'UTC')::date, 'companion_food', 1)
                """
            try await app.postgres.holding(row) {
                for _ in 0..<2 {
                    try await app.postgres.transaction { tx in
                        try AnalyticsTotals.add(tx, ["companion_food": 2, "companion_dead": 1])
                    }
                }
                struct Undone: Error {}
                await #expect(throws: Undone.self) {
                    try await app.postgres.transaction { tx in
                        try AnalyticsTotals.add(tx, ["companion_food": 100])
                        throw Undone()
                    }
                }
            }
            for _ in 0..<2 {
                #expect(try await app.totals() == ["true companion_dead 2", "true companion_food 5"])
            }
        }
    }

    /// Guard: reports are counted in memory, kept on failure, and written at shutdown (`AnalyticsTally`,
    /// `AnalyticsFlush`)
    @Test("what was counted is written at shutdown")
    func shutdown() async throws {
        try await AnalyticsApp.run { app in
            let group = ServiceGroup(
                configuration: .init(
                    services: [.init(service: app.flush)],
                    logger: .silent))
            let running = Task { try await group.run() }
            _ = try await app.report(#"[{"name": "app_opened"}]"#)
            #expect(try await app.stored().isEmpty)
            await group.triggerGracefulShutdown()
            try await running.value
            #expect(try await app.stored() == ["true app_opened 1"])
        }
    }

    @Test("nothing that is kept says who reported")
    func anonymous() async throws {
        try await AnalyticsApp.run { app in
            _ = try await app.report(#"[{"name": "app_opened"}]"#)
            let columns = try await app.postgres.query(
                """
                SELECT column_name::text AS name FROM information_schema.columns
                WHERE table_name = 'analytics_totals'
                ORDER BY 1
                """
            ).map { try $0.get("name", as: String.self) }
            #expect(columns == ["count", "day", "name"])
            for user in try await app.postgres.query("SELECT id::text AS id FROM users") {
                let id: String = try user.get("id")
                let found = try await app.postgres.first(
                    "SELECT FROM rate_counters WHERE position(\(id) IN rate_counters::text) > 0")
                #expect(found == nil)
            }
        }
    }
}
