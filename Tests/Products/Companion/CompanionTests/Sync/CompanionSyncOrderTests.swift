import CompanionAPI
import DaylyAPI
import DaylyTesting
import DeviceIntake
import Foundation
import HTTPKit
import Postgres
import Testing

@testable import Companion

/// Any repetition, split or mutual order of the phones' batches gives the same days and texts, and so do batches at once.
@Suite("The order of Companion's syncs")
struct CompanionSyncOrderTests {
    private static let settings = #"{"consent": "1", "limit_minutes": 120, "cooldown_minutes": 10}"#

    /// Four days of bypasses, reshields and opens of one phone, as JSON.
    private static func events(
        _ phone: CompanionTestPhone, _ random: inout some RandomNumberGenerator
    ) -> [String] {
        var time = BerlinDays.instant(1, "06:00")
        return (0..<50).map { _ in
            time += Int.random(in: 60...10_000, using: &random)
            let kinds = ["bypass", "bypass", "bypass", "reshield", "open"]
            return phone.event(kinds.randomElement(using: &random) ?? "open", at: time)
        }
    }

    private static func figures(_ world: CompanionSyncWorld, _ person: Person) async throws -> [String] {
        let rows = try await world.postgres.query(
            """
            SELECT day::text || ' ' || bypasses || ' ' || open_seconds || ' ' || coalesce(first_use_at::text, '') || ' '
                || coalesce(last_use_at::text, '') || ' ' || has_welcome || ' ' || has_summary AS text
            FROM companion_days WHERE user_id = \(person.id)
            UNION ALL
            SELECT e.day::text || ' ' || kind || ' ' || coalesce(band::text, '') || ' ' || at || ' ' || hp
            FROM companion_diary e WHERE user_id = \(person.id)
            ORDER BY text
            """)
        return try rows.map { try $0.get("text") }
    }

    @Test("one batch, and many repeated and overlapping ones", arguments: [UInt64(1), 2, 3])
    func split(_ seed: UInt64) async throws {
        try await CompanionSyncWorld.run(enforceRates: false) { world in
            let (one, many) = (try await world.owner(Self.settings), try await world.owner(Self.settings))
            let (single, split) = (world.phone(of: one), world.phone(of: many))
            var random = SeededNumbers(seed: seed)
            let all = Self.events(single, &random)
            try await world.set(BerlinDays.instant(6, "12:00"))
            #expect(try await single.send(all).status == 200)
            var sent = 0
            while sent < all.count {
                let end = min(all.count, sent + Int.random(in: 1...9, using: &random))
                let begin = max(0, sent - Int.random(in: 0...5, using: &random))
                let answer = try await split.send(Array(all[begin..<end]))
                #expect(try answer.decode(CompanionSyncAnswer.self).acknowledged == end, "\(answer)")
                sent = end
            }
            let wanted = try await Self.figures(world, one)
            #expect(wanted.count > 10)
            #expect(try await Self.figures(world, many) == wanted)
        }
    }

    @Test("bypasses of two phones in either order, and at once, leave the same hp and seconds")
    func phones() async throws {
        try await CompanionSyncWorld.run(enforceRates: false) { world in
            let people = [
                try await world.owner(Self.settings), try await world.owner(Self.settings),
                try await world.owner(Self.settings),
            ]
            try await world.set(BerlinDays.instant(3, "12:00"))
            let batches: [[(String, Instant)]] = (0..<2).map { device in
                (0..<8).map { ("bypass", BerlinDays.instant(1, "09:00") + $0 * 1_200 + device * 300) }
            }
            for (place, person) in people.enumerated() {
                let phones = [world.phone(of: person), world.phone(of: person)]
                let sent = batches.enumerated().map { device, events in
                    events.map { phones[device].event($0.0, at: $0.1) }
                }
                if place == 2 {
                    let statuses = try await atOnce(6) { try await phones[$0 % 2].send(sent[$0 % 2]).status }
                    #expect(statuses == Array(repeating: 200, count: 6))
                } else {
                    for device in place == 0 ? [0, 1] : [1, 0] {
                        _ = try await phones[device].send(sent[device])
                    }
                }
                let day = try await world.day(BerlinDays.name(1), of: person)
                #expect(day.hp == 20 && day.openSeconds == 16 * 600)
                let texts = try await world.diary(of: person).filter { $0.kind == "band" }.map(\.pool)
                #expect(Set(texts) == ["band.80", "band.60", "band.40", "band.20"])
            }
        }
    }

    @Test("of many bypasses of many phones at once 20 are accepted")
    func atMostTwenty() async throws {
        try await CompanionSyncWorld.run(enforceRates: false) { world in
            let ada = try await world.owner(Self.settings)
            let noon = BerlinDays.instant(1, "12:00")
            try await world.set(noon)
            let phones = (0..<5).map { _ in world.phone(of: ada) }
            let refused = try await atOnce(5) { place in
                var reasons: [String] = []
                for _ in 0..<6 {
                    // The window shuts at once, so that the next bypass needs another one.
                    let answer = try await phones[place].sync(
                        phones[place].event("bypass", at: noon), phones[place].event("reshield", at: noon))
                    reasons += answer.rejected.map(\.reason)
                }
                return reasons
            }
            #expect(refused.flatMap { $0 } == Array(repeating: "locked", count: 10))
            let day = try await world.day(of: ada)
            #expect(day.bypasses == 20 && day.hp == 0)
            let rows: Int = try await world.count("SELECT count(*) AS count FROM companion_bypasses")
            #expect(rows == 20)
        }
    }

    /// Guard: a day closes once, and keeps the time of its closing (`CompanionDayClosing.close`,
    /// `CompanionDayStore.closeWithoutReport`)
    @Test("a final report that arrives many times at once pays once")
    func awardOnce() async throws {
        try await CompanionSyncWorld.run(enforceRates: false) { world in
            let ada = try await world.owner(Self.settings)
            let next = BerlinDays.instant(2, "08:00")
            try await world.set(next)
            let phones = (0..<5).map { _ in world.phone(of: ada) }
            let statuses = try await atOnce(10) { place in
                let phone = phones[place % 5]
                return try await phone.send([
                    phone.usage(BerlinDays.name(1), 60, final: true, at: next)
                ]).status
            }
            #expect(statuses.allSatisfy { $0 == 200 })
            #expect(try await world.day(BerlinDays.name(1), of: ada).energy == 75)
        }
    }
}
