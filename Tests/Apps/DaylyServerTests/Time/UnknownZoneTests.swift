import DaylyTesting
import Foundation
import Postgres
import Testing

@testable import Auth

@Suite("Time zones that PostgreSQL does not know")
struct UnknownZoneTests {
    struct ZoneCase: Decodable {
        let input: String
        let want: String?
    }

    @Test("a former name is stored as the present one of its place, and what is not a name is refused")
    func names() async throws {
        try await WholeService.run { service in
            let ada = try await service.person()
            for each in try outsideCases("zones.json", of: ZoneCase.self) {
                try await service.postgres.execute("UPDATE users SET time_zone_changed_at = NULL")
                let body = String(
                    decoding: try JSONEncoder().encode(["time_zone": each.input]), as: UTF8.self)
                let answer = try await service.call("PATCH", "/v1/users/me", token: ada.token, body: body)
                #expect(answer.status == (each.want == nil ? 400 : 200), "\(each.input)")
                if let want = each.want { #expect(answer.member("time_zone") == want) }
            }
        }
    }

    @Test("a present name that an old PostgreSQL lacks is stored as the former one")
    func olderServer() async throws {
        try await withTestDatabase { database in
            try await hide("Europe/Kyiv", in: database)
            let zones = TimeZoneStore(postgres: database.client)
            #expect(try await zones.storedName(of: "Europe/Kyiv") == "Europe/Kiev")
            #expect(try await zones.storedName(of: "Europe/Kiev") == "Europe/Kiev")
            #expect(try await zones.storedName(of: "Asia/Calcutta") == "Asia/Kolkata")
        }
    }

    @Test("a stored zone that nobody knows is no 500 for its user, and stops nothing for others")
    func unknown() async throws {
        try await WholeService.run(["DAYLY_FEATURES": "photos,focus,companion"]) { service in
            let scene = try await service.scene()
            func forget() async throws {
                try await service.postgres.execute(
                    "UPDATE users SET time_zone = 'Asia/Nowhere' WHERE id = \(scene.member.id)")
            }
            for path in [
                "groups", "groups/\(scene.group.uuidString.lowercased())/photos", "users/me", "focus/now",
            ] {
                try await forget()
                let answer = try await service.call("GET", "/v1/\(path)", token: scene.member.token)
                #expect(answer.status == 200, "\(path): \(answer)")
            }
            try await forget()
            try await service.runJobs()
            _ = try await service.call("GET", "/v1/groups", token: scene.member.token)
            let answer = try await service.call("GET", "/v1/users/me", token: scene.member.token)
            #expect(answer.member("time_zone") == "UTC")
        }
    }

    @Test(
        "users of a zone that PostgreSQL does not know get the nearest fixed offset, with one warning for all of them"
    )
    func repair() async throws {
        try await withTestDatabase { database in
            try await hide("America/Coyhaique", in: database)
            let client = database.client
            for (zone, users) in [
                ("America/Coyhaique", 3), ("US/Pacific", 2), ("Europe/Berlin", 1), ("A/B", 1),
            ] {
                for _ in 0..<users { _ = try await Fixtures.user(in: client, timeZone: zone) }
            }
            let log = RecordingLog()
            try await ZoneRepair(postgres: client, logger: log.logger).run()
            let rows = try await client.query(
                "SELECT time_zone || ' ' || count(*) AS row FROM users GROUP BY time_zone ORDER BY time_zone")
            #expect(
                try rows.map { try $0.get("row", as: String.self) }
                    == ["America/Los_Angeles 2", "Etc/GMT+3 3", "Europe/Berlin 1", "UTC 1"])
            #expect(log.lines.filter { $0.hasPrefix("warning") }.count == 2, "\(log.lines)")
            try await ZoneRepair(postgres: client, logger: log.logger).run()
            #expect(log.lines.count == 3)
        }
    }

    /// Takes a zone out of PostgreSQL's list.
    private func hide(_ zone: String, in database: TestDatabase) async throws {
        try await database.client.execute("CREATE SCHEMA system")
        try await database.client.execute(
            SQL(
                unchecked: """
                    CREATE VIEW system.pg_timezone_names AS
                    SELECT * FROM pg_catalog.pg_timezone_names WHERE name <> '\(zone)'
                    """))
        try await database.client.execute(
            """
            DO $$ BEGIN EXECUTE format(
                'ALTER DATABASE %I SET search_path = system, pg_catalog, public', current_database());
            END $$
            """)
        // A session keeps its path. The one that ends itself gets no answer.
        _ = try? await database.client.execute(
            """
            DO $$ BEGIN PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database(); END $$
            """)
    }
}
