import DaylyTesting
import FeatureKit
import Foundation
import Groups
import HTTPKit
import Notifications
import Postgres
import Testing

@testable import Focus

@Suite("The jobs that close and purge")
struct FocusJobTests {
    /// Guard: a week is closed by one process at a time (`FocusCloseStore.claim`)
    @Test("any number of processes close a week once, in small steps")
    func closeOnce() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            for _ in 0..<9 { _ = try await world.group(of: [ada.id]) }
            try await world.set("2026-03-09T17:00:00Z")
            let settings = FocusSettings()
            let reports = try await atOnce(4) { _ in
                try await FocusClose(postgres: world.postgres, settings: settings, batch: 2).runOnce()
            }
            let last = try await world.feature.close.runOnce()
            let boards = reports.reduce(last.boards) { $0 + $1.boards }
            let weeks = reports.reduce(last.weeks) { $0 + $1.weeks }
            #expect(weeks == 2, "\(reports) \(last)")
            // The week before the first profile is closed too.
            #expect(boards == 18)
            #expect(
                try await world.count("SELECT count(*) AS count FROM focus_results WHERE week = '2026-03-02'")
                    == 9)
            #expect(
                try await world.count("SELECT count(*) AS count FROM focus_closes WHERE closed_at IS NULL")
                    == 0)
        }
    }

    @Test("weeks that were missed are closed oldest first")
    func missed() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            _ = try await world.group(of: [ada.id])
            try await world.set("2026-03-24T00:00:00Z")
            #expect(try await world.feature.close.runOnce().weeks == 4)
            let weeks = try await world.postgres.query("SELECT week::text FROM focus_closes ORDER BY week")
            #expect(
                try weeks.map { try $0.get("week", as: String.self) }
                    == ["2026-02-23", "2026-03-02", "2026-03-09", "2026-03-16"])
        }
    }

    @Test("without a profile nothing is closed")
    func nobody() async throws {
        try await FocusWorld.run { world in
            let report = try await world.feature.close.runOnce()
            #expect(report == FocusClose.Report())
            #expect(try await world.count("SELECT count(*) AS count FROM focus_closes") == 0)
        }
    }

    @Test("events are in the export until they are 90 days old, and nowhere after 91")
    func events() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada)
            try await phone.sync(phone.event("L", "10:00"), phone.event("U", "11:00"))
            func exported() async throws -> [String] {
                let export = try #require(world.feature.exports.first)
                let focus = try await world.postgres.transaction { tx in try export(tx, ada.id) }
                guard case .object(let members)? = focus["focus"],
                    case .written(let text)? = members["events"]
                else { return ["missing"] }
                struct Event: Decodable { let at: String }
                return try JSONDecoder().decode([Event].self, from: Data(text.utf8)).map(\.at)
            }
            #expect(try await exported() == ["2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z"])
            try await world.set("2026-05-31T10:30:00Z")
            #expect(try await exported() == ["2026-03-02T11:00:00Z"])
            _ = try await world.feature.purge.runOnce()
            #expect(try await world.count("SELECT count(*) AS count FROM focus_event_days") == 1)
            try await world.set("2026-06-01T00:00:00Z")
            #expect(try await world.feature.purge.runOnce().droppedPartitions > 0)
            #expect(try await world.count("SELECT count(*) AS count FROM focus_event_days") == 0)
            #expect(
                try await world.count("SELECT count(*) AS count FROM focus_days WHERE streaks IS NULL") == 1)
            #expect(try await world.call(.get, "days/2026-03-02", as: ada).text("points") == "40.94")
            #expect(try await exported().isEmpty)
        }
    }

    /// Guard: the streaks of all days that are too old are forgotten, each once
    /// (`FocusPurgeStore.spanToForget`)
    @Test("the job forgets the streaks of days that became too old while it was away, and reads none twice")
    func afterPause() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada)
            try await phone.sync(phone.event("L", "10:00"), phone.event("U", "11:00"))
            func kept() async throws -> Int {
                try await world.count(
                    "SELECT count(*) AS count FROM focus_days WHERE day = '2026-03-02' AND streaks IS NOT NULL"
                )
            }
            _ = try await world.feature.purge.runOnce()
            #expect(try await kept() == 1)
            try await world.clock.advance(by: .days(200))
            _ = try await world.feature.purge.runOnce()
            #expect(try await kept() == 0)
            try await world.postgres.execute("UPDATE focus_days SET streaks = '' WHERE day = '2026-03-02'")
            for _ in 0..<2 {
                _ = try await world.feature.purge.runOnce()
                #expect(try await kept() == 1)
                try await world.clock.advance(by: .days(1))
            }
        }
    }

    /// Guard: a part of the purge that fails stops no other (`FocusPurge.runOnce`)
    @Test("a part of the purge that fails keeps no other part from its work, and the run fails nevertheless")
    func failingPart() async throws {
        try await FocusWorld.run { world in
            let done = Counter()
            let purge = FocusPurge(
                postgres: world.postgres,
                parts: [
                    { throw FocusError.notFound },
                    {
                        done.increment()
                        return 1
                    },
                ])
            await #expect(throws: FocusError.notFound) { try await purge.runOnce() }
            #expect(done.value == 1)
        }
    }

    @Test("partitions are made ahead, once, also by processes at the same time")
    func partitions() async throws {
        try await FocusWorld.run { world in
            let made = try await atOnce(3) { _ in try await world.feature.purge.runOnce().madePartitions }
            #expect(made.filter { $0 > 0 }.count == 1)
            #expect(try await world.feature.purge.runOnce().madePartitions == 0)
            try await world.clock.advance(by: .days(1))
            #expect(try await world.feature.purge.runOnce().madePartitions == 1)
        }
    }

    /// Guard: nobody waits behind a partition that is made or dropped (`PostgresClient.unlessBusy`)
    @Test("a partition of a table that somebody reads is left to a later run, and nobody waits")
    func busyPartitions() async throws {
        try await FocusWorld.run { world in
            _ = try await world.feature.purge.runOnce()
            try await world.clock.advance(by: .days(130))
            try await world.postgres.holding("LOCK TABLE focus_event_days IN ACCESS SHARE MODE") {
                let report = try await world.feature.purge.runOnce()
                #expect(report.madePartitions == 0 && report.droppedPartitions == 0)
            }
            let report = try await world.feature.purge.runOnce()
            #expect(report.madePartitions > 0 && report.droppedPartitions > 0)
        }
    }

    @Test("boards and leagues are kept for a year, and days for two")
    func retention() async throws {
        try await FocusWorld.run(at: "2026-03-03T12:00:00Z") { world in
            let ada = try await world.player("ada")
            let phone = try await world.phone(of: ada)
            _ = try await world.group(of: [ada.id])
            try await phone.sync(phone.event("L", "10:00"), phone.event("U", "11:00"))
            try await world.earn(3, by: ada)
            try await world.set("2026-03-09T17:00:00Z")
            _ = try await world.feature.close.runOnce()
            for (time, boards, days) in [("2027-03-02", 1, 1), ("2027-04-01", 0, 1), ("2028-04-02", 0, 0)] {
                try await world.set("\(time)T03:00:00Z")
                _ = try await world.feature.purge.runOnce()
                for table in ["focus_results", "focus_seats"] {
                    #expect(
                        try await world.count(
                            "SELECT count(*) AS count FROM \(identifier: table) WHERE week = '2026-03-02'")
                            == boards,
                        "\(table) \(time)")
                }
                #expect(try await world.count("SELECT count(*) AS count FROM focus_days") == days, "\(time)")
            }
        }
    }

    @Test("one run of all jobs says what each did")
    func run() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            _ = try await world.group(of: [ada.id])
            try await world.set("2026-03-09T17:00:00Z")
            let report = try await FocusFeature.runJobs(
                FocusSettings(), postgres: world.postgres, notifications: NotificationOutbox(platforms: []))
            #expect(report.focusClose.boards == 2 && report.focusPurge.madePartitions > 0)
            #expect(
                try await FocusFeature.setPro(
                    world.postgres, of: ada.id, until: .init(year: 2026, month: 3, day: 9)))
            #expect(try await world.call(.get, "now", as: ada).text("pro_until") == "2026-03-10T00:00:00Z")
            #expect(
                try await !FocusFeature.setPro(
                    world.postgres, of: UserID(.version7()), until: .init(year: 2026, month: 3, day: 9)))
        }
    }
}
