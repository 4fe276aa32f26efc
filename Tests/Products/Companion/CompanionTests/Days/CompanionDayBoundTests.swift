import DaylyTesting
import Foundation
import HTTPKit
import Testing

@testable import Companion

@Suite("Companion: the bounds of days")
struct CompanionDayBoundTests {
    /// A day that begins, perhaps a change of zone during it, and its end.
    struct Example: Sendable, CustomStringConvertible {
        let joins: String
        /// When the day of the example begins, if it is not the first.
        let begins: String
        var moves: (at: String, to: String)?
        let ends: String
        let next: String

        var description: String { "\(begins) → \(ends)" }
    }

    private static let examples = [
        Example(
            joins: "2026-03-28 12:00 Europe/Berlin", begins: "2026-03-29 00:00 Europe/Berlin",
            ends: "2026-03-30 00:00 Europe/Berlin", next: "2026-03-30"),
        Example(
            joins: "2026-10-24 12:00 Europe/Berlin", begins: "2026-10-25 00:00 Europe/Berlin",
            ends: "2026-10-26 00:00 Europe/Berlin", next: "2026-10-26"),
        Example(
            joins: "2026-03-02 23:30 Europe/Berlin", begins: "2026-03-02 23:30 Europe/Berlin",
            ends: "2026-03-03 00:00 Europe/Berlin", next: "2026-03-03"),
        Example(
            joins: "2026-03-01 12:00 Europe/Berlin", begins: "2026-03-02 00:00 Europe/Berlin",
            moves: ("2026-03-02 10:00 Europe/Berlin", "Pacific/Auckland"),
            ends: "2026-03-04 00:00 Pacific/Auckland", next: "2026-03-04"),
        Example(
            joins: "2026-03-02 12:00 Pacific/Auckland", begins: "2026-03-03 00:00 Pacific/Auckland",
            moves: ("2026-03-03 02:00 Pacific/Auckland", "America/Los_Angeles"),
            ends: "2026-03-04 00:00 America/Los_Angeles", next: "2026-03-04"),
        Example(
            joins: "2026-03-01 12:00 America/Los_Angeles", begins: "2026-03-02 00:00 America/Los_Angeles",
            moves: ("2026-03-02 23:00 America/Los_Angeles", "America/New_York"),
            ends: "2026-03-03 02:00 America/New_York", next: "2026-03-03"),
        Example(
            joins: "2026-03-27 12:00 Asia/Beirut", begins: "2026-03-28 00:00 Asia/Beirut",
            ends: "2026-03-29 01:00 Asia/Beirut", next: "2026-03-29"),
        Example(
            joins: "2011-12-28 12:00 Pacific/Apia", begins: "2011-12-29 00:00 Pacific/Apia",
            ends: "2011-12-31 00:00 Pacific/Apia", next: "2011-12-31"),
    ]

    /// Guard: days end by the old zone before it changes (`CompanionZoneChange.hook`)
    @Test("the service ends days as the examples say, whether it looks during each day or only afterwards")
    func bounds() async throws {
        for example in Self.examples {
            for looksOften in [true, false] { try await check(example, looksOften: looksOften) }
        }
    }

    private func check(_ example: Example, looksOften: Bool) async throws {
        try await CompanionWorld.run(at: "2011-12-01T00:00:00Z") { world in
            try await world.set(local: example.joins)
            let zone = String(example.joins.split(separator: " ")[2])
            let ada = try await world.owner(timeZone: zone)
            let (begins, ends) = (
                try await world.date(local: example.begins), try await world.date(local: example.ends)
            )
            let name = String(example.begins.prefix(10))
            if looksOften, example.begins != example.joins {
                try await world.clock.set(to: begins)
                let day = try await world.call(.get, "day", as: ada)
                #expect(day.text("day") == name, "\(example): \(day)")
            }
            if let (at, zone) = example.moves {
                try await world.set(local: at)
                try await world.move(ada, to: zone)
            }
            if looksOften, example.moves == nil {
                try await world.clock.set(to: ends.addingTimeInterval(-1))
                let day = try await world.call(.get, "day", as: ada)
                #expect(day.text("day") == name, "\(example): \(day)")
            }
            try await world.clock.set(to: ends)
            let (next, ended) = (
                try await world.call(.get, "day", as: ada),
                try await world.call(.get, "days/\(name)", as: ada)
            )
            #expect(next.text("day") == example.next, "\(example): \(next)")
            #expect(RFC3339.date(next.text("begins_at")) == ends, "\(example): \(next)")
            #expect(RFC3339.date(ended.text("begins_at")) == begins, "\(example): \(ended)")
            #expect(RFC3339.date(ended.text("ends_at")) == ends, "\(example): \(ended)")
        }
    }

    @Test("days that have ended keep their bounds when the zone changes")
    func endedDays() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.owner(timeZone: "Europe/Berlin")
            // Nothing ends the day of joining before the change.
            try await world.set("2026-03-03T10:00:00Z")
            try await world.move(ada, to: "Asia/Tokyo")
            let first = try await world.call(.get, "days/2026-03-02", as: ada)
            #expect(first.text("ends_at") == "2026-03-02T23:00:00Z", "\(first)")
            let second = try await world.call(.get, "day", as: ada)
            #expect(second.text("day") == "2026-03-03", "\(second)")
            #expect(second.text("begins_at") == "2026-03-02T23:00:00Z", "\(second)")
            // Midnight in Tokyo, 16 h after the beginning, comes too early.
            #expect(second.text("ends_at") == "2026-03-04T15:00:00Z", "\(second)")
        }
    }

    @Test("an account that comes back after years has its days at once, the last 90 with a row")
    func years() async throws {
        try await CompanionWorld.run(at: "2012-03-02T12:00:00Z") { world in
            let ada = try await world.owner(timeZone: "Europe/Berlin")
            try await world.set("2026-03-02T12:00:00Z")
            let clock = ContinuousClock()
            let began = clock.now
            let day = try await world.call(.get, "day", as: ada)
            #expect(clock.now - began < .seconds(10))
            #expect(day.text("day") == "2026-03-02" && day.text("hp") == "100", "\(day)")
            #expect(
                try await world.count(
                    "SELECT count(*) AS count FROM companion_days WHERE ends_at > now() - interval '90 days'")
                    == 91)
            #expect(try await world.call(.get, "days/2025-12-02", as: ada).status == 200)
            #expect(try await world.call(.get, "days/2025-12-01", as: ada).status == 404)
        }
    }
}
