import DaylyTesting
import Foundation
@testable import Groups
import Postgres
import Testing

/// Compares when a sender may send again with time zone files that other code than PostgreSQL's reads.
@Suite struct NextSendAtTests {
    /// From 2007 to 2027.
    private static let years = 1_167_609_600..<1_798_761_600

    /// Guard: CET, MET, EET and WET have their summer (`zone_named`)
    @Test(
        "in every zone, each day around twenty years of clock changes ends at the local midnight, to the second"
    )
    func allZones() async throws {
        try await withDatabase { postgres in
            let zones = try await Self.zones(postgres)
            #expect(zones.count > 400)
            var (names, days, ends): ([String], [Int], [Int]) = ([], [], [])
            var (momentNames, moments, momentDays): ([String], [Int], [Int]) = ([], [], [])
            for (name, zone) in zones {
                for change in zone.changes(in: Self.years) {
                    let first = zone.day(at: change - 86_400)
                    for day in first...(zone.day(at: change) + 1) {
                        names.append(name)
                        days.append(day)
                        ends.append(try #require(zone.end(ofDay: day)))
                    }
                    for moment in [change - 1, change, change + 1] {
                        momentNames.append(name)
                        moments.append(moment)
                        momentDays.append(zone.day(at: moment))
                    }
                }
            }
            #expect(names.count > 25_000)
            let wrongEnds = try await postgres.query(
                """
                SELECT zone
                FROM unnest(\(names), \(days), \(ends)) AS expected (zone, day, ends_at)
                WHERE end_of_local_day('epoch'::date + day::integer, zone) IS DISTINCT FROM to_timestamp(ends_at)
                OR local_day(to_timestamp(ends_at), zone) <= 'epoch'::date + day::integer
                OR local_day(to_timestamp(ends_at - 1), zone) > 'epoch'::date + day::integer
                """)
            let wrongDays = try await postgres.query(
                """
                SELECT zone
                FROM unnest(\(momentNames), \(moments), \(momentDays)) AS expected (zone, moment, day)
                WHERE local_day(to_timestamp(moment), zone) <> 'epoch'::date + day::integer
                """)
            let wrong = try Set((wrongEnds + wrongDays).map { try $0.get("zone", as: String.self) })
            #expect(wrong.isEmpty, "\(wrongEnds.count) wrong ends and \(wrongDays.count) wrong days")
        }
    }

    @Test(
        "days end rightly where clocks skip or repeat midnight, move by half an hour, or leave out a day as in Samoa",
        arguments: [
            ("America/Santiago", "2022-09-10", "2022-09-11T04:00:00Z"),
            ("America/Santiago", "2022-04-02", "2022-04-03T04:00:00Z"),
            ("Asia/Beirut", "2024-03-30", "2024-03-30T22:00:00Z"),
            ("Africa/Cairo", "2024-04-25", "2024-04-25T22:00:00Z"),
            ("Africa/Cairo", "2024-10-31", "2024-10-31T22:00:00Z"),
            ("Australia/Lord_Howe", "2024-10-05", "2024-10-05T13:30:00Z"),
            ("Pacific/Apia", "2011-12-29", "2011-12-30T10:00:00Z"),
            ("Asia/Pyongyang", "2018-05-04", "2018-05-04T15:00:00Z"),
            ("America/Caracas", "2007-12-08", "2007-12-09T04:00:00Z"),
            ("CET", "2024-07-01", "2024-07-01T22:00:00Z"),
        ])
    func known(zone: String, day: String, end: String) async throws {
        try await withDatabase { postgres in
            let row = try await postgres.first(
                "SELECT end_of_local_day(\(day)::date, \(zone)) = \(end)::timestamptz AS same")
            #expect(try row?.get("same") == true)
        }
    }

    @Test("a group's answer names the end of the sender's own day, in zones around the world")
    func view() async throws {
        try await GroupsWorld.run { world, _ in
            let ana = try await world.person(1)
            let group = try await world.group(of: [ana])
            try await world.send(ana, to: group, daysAgo: 0)
            let zones = try await Self.zones(world.postgres)
            for (name, zone) in zones.enumerated().filter({ $0.offset.isMultiple(of: 12) }).map(\.element) {
                try await world.postgres.execute(
                    """
                    WITH zone AS (UPDATE users SET time_zone = \(name) RETURNING time_zone)
                    UPDATE photo_slots SET last_sent_on = local_day(now(), time_zone) FROM zone
                    """)
                let asked = Int(Date().timeIntervalSince1970)
                let view = try await world.view(of: group, for: ana.id)
                let next = Int(try #require(view.nextSendAt).timeIntervalSince1970)
                // The day may end between the question and the answer.
                let candidates = [asked, asked + 1].map { zone.end(ofDay: zone.day(at: $0)) }
                #expect(candidates.contains(next), "\(name)")
            }
        }
    }

    private static func zones(_ postgres: PostgresClient) async throws -> [(String, ZoneFile)] {
        try await postgres.query(
            "SELECT name FROM pg_timezone_names WHERE name !~ '^(posix|right)/' ORDER BY name"
        ).compactMap { row in
            let name: String = try row.get("name")
            return ZoneFile(name: name).map { (name, $0.recent) }
        }
    }
}
