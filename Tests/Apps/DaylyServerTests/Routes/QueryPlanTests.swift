import DaylyTesting
import Foundation
import NIOCore
import Postgres
import Testing

@testable import Auth

/// Whatever the service asks of PostgreSQL is explained as if its tables had ten million rows: statements of requests and
/// jobs, and those of triggers and foreign keys beneath them. A new statement is covered as soon as a call or a job of
/// the story below runs it.
@Suite("Plans at ten million rows")
struct QueryPlanTests {
    /// Tables that stay small, or that only a restore reads as a whole.
    private static let small: Set<String> = [
        "analytics_additions", "analytics_totals", "audit_runs", "backups", "closed_prefixes",
        "companion_beats",
        "companion_catalogs",
        "companion_flags", "companion_gaps", "erasures", "focus_closes", "focus_forgotten", "job_leases",
        "journal_steps", "message_ceiling", "message_tally", "orphan_sightings", "push_faults",
        "restore_guard", "restore_progress", "schema_migrations", "secret_check",
    ]

    /// Tables that the story never writes to: nothing is known of their plans.
    private static let unwritten: Set<String> = [
        "verified_addresses", "blocks", "sms_opt_outs", "code_sends", "upload_keys", "focus_breaks",
        "focus_refunds",
        "focus_transactions", "idempotency_keys",
    ]

    /// An audit at its usual pace would take minutes, since no photo of the story has objects.
    private static let settings = ["DAYLY_AUDIT_REQUESTS_PER_SECOND": "100000"]

    /// Guard: no statement of a request or a job reads a whole table at ten million rows (the indexes;
    /// `GroupStore.emptyOldPartitions`)
    @Test("no statement of a request or a job reads a whole table")
    func noSequentialScan() async throws {
        try await withTestDatabase { try await explain(in: $0) }
    }

    private func explain(in database: TestDatabase) async throws {
        // Once before, so that there is a page in each table to be taken for many.
        try await WholeService.serve(Self.settings, on: database) { try await $0.liveThrough() }
        try await database.client.execute(
            """
            INSERT INTO outbox (id, topic, payload, expires_at, keep_until)
            VALUES (\(UUID.version7()), 'test', '{}', now() + interval '1 day', now() + interval '1 day')
            """)
        // Reminders that are not due yet, and an item of each user for the feeds.
        try await database.client.execute(
            """
            INSERT INTO focus_due (user_id, kind, due_at, day)
            SELECT user_id, 'review', now() + interval '1 day', current_date FROM focus_profiles
            ON CONFLICT DO NOTHING
            """)
        try await database.client.execute(
            """
            INSERT INTO focus_feed (user_id, id, ended_at, seconds)
            SELECT user_id, focus_feed_id(now()), now(), 4000 FROM focus_profiles
            """)
        try await Self.measureFocus(in: database.client)
        for statement in Self.companion { try await database.client.execute(statement) }
        let fake = FakeStatistics(postgres: database.client)
        let large = try await fake.pretend(rows: 10_000_000, except: Self.small)
        let unknown = Set(try await database.client.tables()).subtracting(Self.small)
            .subtracting(Self.unwritten).subtracting(large.map(fake.whole))
        #expect(unknown.sorted() == [], "list it in `small`, or let the story write to it")
        // So that the same numbers may be asked for again.
        try await database.client.execute("DELETE FROM rate_counters")
        let log = try await PlanLog.begin(in: database.client)
        try await WholeService.serve(Self.settings, on: database) { try await $0.liveThrough() }
        let plans = try await log.end()
        #expect(Set(plans.map(\.query)).count > 100, "the server explains what it runs")
        for plan in plans {
            guard let table = plan.scanned, large.contains(table) else { continue }
            Issue.record("all of \(table) is read by: \(plan.query)")
        }
    }
}

extension QueryPlanTests {
    /// A phone, a bypass and a text of each account of Companion. Its days have ended two days ago, so that the job ends them.
    private static let companion: [SQL] = [
        """
        INSERT INTO companion_devices (user_id, id, synced_at, events_on)
        SELECT user_id, gen_random_uuid(), now(), current_date FROM companion_settings
        """,
        """
        INSERT INTO companion_bypasses (user_id, day, number, device_id, at, closes_at)
        SELECT user_id, day, 1, gen_random_uuid(), now(), now() FROM companion_settings ON CONFLICT DO NOTHING
        """,
        """
        INSERT INTO companion_diary (user_id, ordinal, id, day, at, kind, pool, hp, number, text_en, text_de)
        SELECT user_id, 1, gen_random_uuid(), day, now(), 'welcome', 'welcome', 100, 1, '', '' FROM companion_settings
        ON CONFLICT DO NOTHING
        """,
        """
        INSERT INTO companion_cosmetics (user_id, id, currency, price)
        SELECT user_id, 'straw_hat', 'gems', 80 FROM companion_settings
        """,
        """
        INSERT INTO companion_purchases (transaction_id, user_id, product_id, quantity, gems)
        SELECT user_id::text, user_id, 'gems_100', 1, 100 FROM companion_settings
        """,
        """
        INSERT INTO companion_claims (digest, is_refused)
        SELECT decode(md5(user_id::text), 'hex'), false FROM companion_settings
        """,
        """
        INSERT INTO companion_memorials (user_id, id, name, species, growth, born_on, died_on, outfit, created_at)
        SELECT user_id, gen_random_uuid(), 'Momo', 'cat', 0, current_date, current_date, '{}', now()
        FROM companion_settings
        """,
        """
        WITH accounts AS (
            UPDATE companion_settings
            SET day = day - 2, begins_at = begins_at - interval '2 days', ends_at = ends_at - interval '2 days'
        ), days AS (
            UPDATE companion_days
            SET day = day - 2, begins_at = begins_at - interval '2 days', ends_at = ends_at - interval '2 days'
        ), bypasses AS (UPDATE companion_bypasses SET day = day - 2
        ), diary AS (UPDATE companion_diary SET day = day - 2)
        UPDATE companion_pets SET born_on = born_on - 3, reset_on = reset_on - 3
        """,
    ]

    /// Days, weeks, boards and seats of each profile, which phones and the close of a week would have made.
    private static func measureFocus(in postgres: PostgresClient) async throws {
        let statements: [SQL] = [
            "SELECT make_focus_partitions(current_date - 7, current_date + 7)",
            """
            INSERT INTO focus_event_days (user_id, device, day, first_seq, last_seq, events)
            SELECT user_id, 1, current_date, 1, 1, '' FROM focus_profiles ON CONFLICT DO NOTHING
            """,
            """
            INSERT INTO focus_days (user_id, day) SELECT user_id, current_date FROM focus_profiles
            ON CONFLICT DO NOTHING
            """,
            """
            INSERT INTO focus_weeks (user_id, week)
            SELECT user_id, date_trunc('week', current_date)::date FROM focus_profiles ON CONFLICT DO NOTHING
            """,
            """
            INSERT INTO focus_results (
                group_id, week, user_id, rank, points, streak_count, longest_streak, estimated, status)
            SELECT m.group_id, date_trunc('week', current_date)::date - 14, p.user_id, 1, 0, 0, 0, false, 'pending'
            FROM focus_profiles p JOIN group_members m USING (user_id) ON CONFLICT DO NOTHING
            """,
            """
            INSERT INTO focus_leagues (week, tier, number, seats)
            VALUES (date_trunc('week', current_date)::date, 0, 1, 1) ON CONFLICT DO NOTHING
            """,
            """
            INSERT INTO focus_seats (week, user_id, tier, number)
            SELECT date_trunc('week', current_date)::date, user_id, 0, 1 FROM focus_profiles ON CONFLICT DO NOTHING
            """,
        ]
        for statement in statements { _ = try await postgres.query(statement) }
    }
}

extension WholeService {
    /// Every call that the service serves, by somebody who may make it, and every job.
    fileprivate func liveThrough() async throws {
        for rule in RouteRule.all {
            let scene = try await scene()
            var reach = Reach(scene)
            reach.values["member"] = scene.member.name
            let token: String? = if case .open = rule.access { nil } else { scene.owner.token }
            let answer = try await call(rule, reach, token: token)
            #expect(answer.status == rule.access.status, "\(rule.name): \(answer.text.prefix(200))")
        }
        try await signInAndOut()
        try await runJobs()
    }

    /// Makes the calls that the walk above only sees refused, such as refreshing and joining.
    private func signInAndOut() async throws {
        let scene = try await scene()
        let refresh = #"{"refresh_token": "\#(scene.owner.refreshToken)"}"#
        #expect(try await call("POST", "/v1/auth/refresh", body: refresh).status == 200)
        let code: String? = try await postgres.first("SELECT code FROM invites WHERE id = \(scene.invite)")?
            .get("code")
        let invitee = try await person()
        try await postgres.execute(
            "UPDATE invites SET phone_number = \(invitee.number) WHERE id = \(scene.invite)")
        let redeemed = try await call(
            "POST", "/v1/invites/redeem", token: invitee.token, body: #"{"code": "\#(code ?? "")"}"#)
        #expect(redeemed.status == 200)
        let feed = try await call("GET", "/v1/groups/\(scene.group)/photos", token: invitee.token)
        let cursor = feed.members["cursor"] as? String ?? ""
        for path in [
            "/v1/groups/\(scene.group)/photos?since=\(cursor)", "/v1/groups/\(scene.group)/photos/today",
            "/v1/events",
        ] {
            #expect(try await call("GET", path, token: invitee.token).status == 200)
        }
        #expect(try await call("DELETE", "/v1/users/me", token: scene.member.token).status == 204)
    }
}

/// Makes the planner believe in many rows.
private struct FakeStatistics {
    let postgres: PostgresClient

    /// - Returns: the tables and partitions that count as large now: those in which anything was ever written.
    func pretend(rows: Int, except small: Set<String>) async throws -> Set<String> {
        let tables = try await postgres.query(
            """
            SELECT c.oid::int8 AS id, c.relname::text AS name,
                greatest(pg_relation_size(c.oid) / current_setting('block_size')::int8, 0) AS pages
            FROM pg_class c
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
            """)
        var large: Set<String> = []
        for table in tables {
            let (id, name, pages): (Int, String, Int) = (
                try table.get("id"), try table.get("name"), try table.get("pages")
            )
            guard pages > 0, !small.contains(name) else { continue }
            large.insert(name)
            try await postgres.execute("ALTER TABLE \(identifier: name) SET (autovacuum_enabled = off)")
            try await postgres.execute(
                "UPDATE pg_class SET reltuples = \(Double(rows))::float4, relpages = \(pages) WHERE oid = \(id)::oid"
            )
            try await postgres.execute("DELETE FROM pg_statistic WHERE starelid = \(id)::oid")
            try await postgres.execute(Self.columns(of: id))
            try await postgres.execute(Self.times(of: id))
        }
        return large
    }

    /// The table that a partition is of.
    func whole(_ table: String) -> String {
        let parted = ["group_events", "focus_event_days", "focus_days", "focus_weeks"]
        return parted.first { table.hasPrefix($0 + "_") } ?? table
    }

    /// Ids are many, truth values two.
    private static func columns(of table: Int) -> SQL {
        """
        INSERT INTO pg_statistic (starelid, staattnum, stainherit, stanullfrac, stawidth, stadistinct,
            stakind1, stakind2, stakind3, stakind4, stakind5, staop1, staop2, staop3, staop4, staop5,
            stacoll1, stacoll2, stacoll3, stacoll4, stacoll5)
        SELECT a.attrelid, a.attnum, false, CASE WHEN a.attnotnull THEN 0 ELSE 0.9 END, 16,
            CASE WHEN a.atttypid = 'boolean'::regtype THEN 2
                WHEN a.atttypid IN ('date'::regtype, 'smallint'::regtype) THEN 100 ELSE -0.3 END,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        FROM pg_attribute a
        WHERE a.attrelid = \(table)::oid AND a.attnum > 0 AND NOT a.attisdropped
            AND a.atttypid <> 'timestamptz'::regtype
        """
    }

    /// Times lie behind us, but for those that something ends at.
    private static func times(of table: Int) -> SQL {
        """
        INSERT INTO pg_statistic (starelid, staattnum, stainherit, stanullfrac, stawidth, stadistinct,
            stakind1, stakind2, stakind3, stakind4, stakind5, staop1, staop2, staop3, staop4, staop5,
            stacoll1, stacoll2, stacoll3, stacoll4, stacoll5, stavalues1)
        SELECT a.attrelid, a.attnum, false, CASE WHEN a.attnotnull THEN 0 ELSE 0.9 END, 8, -0.3,
            2, 0, 0, 0, 0, '<(timestamptz, timestamptz)'::regoperator, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            array_in(
                (
                    SELECT array_agg(
                        CASE WHEN a.attname ~ '(until|expires|ends|due|after)'
                            THEN now() + (n - 0.01) * interval '30 minutes'
                            ELSE now() - (100 - n) * interval '6 hours' END
                        ORDER BY n)::text::cstring
                    FROM generate_series(0, 100) AS n
                ), 'timestamptz'::regtype, -1)
        FROM pg_attribute a
        WHERE a.attrelid = \(table)::oid AND a.attnum > 0 AND NOT a.attisdropped
            AND a.atttypid = 'timestamptz'::regtype
        """
    }
}

/// The plans that PostgreSQL writes into its log, by auto_explain.
private struct PlanLog {
    struct Plan {
        let query: String
        /// A table that it reads as a whole.
        let scanned: String?
    }

    let postgres: PostgresClient
    let path: String
    let start: Int

    /// In sessions that begin from here on every statement is explained, with the plan that fits any of its parameters.
    static func begin(in postgres: PostgresClient) async throws -> PlanLog {
        let database: String =
            try await postgres.first("SELECT current_database()::text AS name")?.get("name") ?? ""
        for setting in [
            "session_preload_libraries = 'auto_explain'", "auto_explain.log_min_duration = 0",
            "auto_explain.log_nested_statements = on", "auto_explain.log_format = json",
            "plan_cache_mode = force_generic_plan",
            // Compiling what looks expensive would take seconds.
            "jit = off",
        ] {
            try await postgres.execute(
                "ALTER DATABASE \(identifier: database) SET \(fragment: SQL(unchecked: setting))")
        }
        let path: String =
            try await postgres.first(
                "SELECT regexp_replace(current_setting('data_directory'), '[^/]*$', 'server.log') AS path"
            )?.get("path") ?? ""
        let size: Int = try await postgres.first("SELECT size FROM pg_stat_file(\(path))")?.get("size") ?? 0
        return PlanLog(postgres: postgres, path: path, start: size)
    }

    /// Each statement once for each table that it reads as a whole, or once. PostgreSQL takes its own log apart.
    func end() async throws -> [Plan] {
        try await postgres.query(
            """
            SELECT DISTINCT regexp_replace(entry.plan ->> 'Query Text', '\\s+', ' ', 'g') AS query,
                scan ->> 'Relation Name' AS scanned
            FROM (
                SELECT lines[1]::jsonb AS plan
                FROM regexp_matches(
                    pg_read_file(\(path), \(start), 1000000000), 'plan:\\n((?:\\t[^\\n]*\\n)+)', 'g'
                ) AS lines
            ) AS entry
            LEFT JOIN LATERAL jsonb_path_query(
                entry.plan, 'strict $.** ? (@."Node Type" == "Seq Scan")'
            ) AS scan ON true
            ORDER BY 1, 2
            """
        ).map { Plan(query: try $0.get("query"), scanned: try $0.get("scanned")) }
    }
}
