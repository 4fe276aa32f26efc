import DaylyTesting
import Foundation
import HTTPKit
import Postgres
import Testing

/// Invariant: any repetition, split or mutual order of the phones' batches gives the same streaks, days and weeks.
@Suite("The order of syncs does not matter")
struct FocusOrderTests {
    private struct Event {
        let phone: Int
        let seq: Int
        let minute: Int
        let isLock: Bool

        var json: String {
            let (hour, minute) = (minute / 60, minute % 60)
            let day = 25 + hour / 24
            let date = day <= 28 ? "2026-02-\(day)" : "2026-03-0\(day - 28)"
            let time = String(format: "%02d:%02d:00", hour % 24, minute)
            return """
                {"seq": \(seq), "kind": "\(isLock ? "lock" : "unlock")", "source": "automatic", "at": "\(date)T\(time)Z"}
                """
        }
    }

    /// Five days of three phones.
    private static func events(_ random: inout some RandomNumberGenerator) -> [[Event]] {
        (0..<3).map { phone in
            var minute = 0
            return (1...60).map { seq in
                minute += Int.random(in: 1...170, using: &random)
                return Event(phone: phone, seq: seq, minute: minute, isLock: Bool.random(using: &random))
            }
        }
    }

    private static func figures(_ world: FocusWorld, _ person: Person) async throws -> [String] {
        let rows = try await world.postgres.query(
            """
            SELECT day::text || ' ' || points || ' ' || streak_count || ' ' || longest_streak || ' ' || estimated || ' '
                || encode(streaks, 'hex') AS text
            FROM focus_days WHERE user_id = \(person.id) AND streak_count > 0
            UNION ALL
            SELECT week::text || ' ' || points || ' ' || streak_count || ' ' || longest_streak || ' ' || estimated
            FROM focus_weeks WHERE user_id = \(person.id) AND streak_count > 0
            ORDER BY text
            """)
        return try rows.map { try $0.get("text") }
    }

    @Test("one sync for each phone, and many repeated and mixed ones", arguments: [UInt64(1), 2, 3])
    func mixed(_ seed: UInt64) async throws {
        try await FocusWorld.run(enforceRates: false) { world in
            var random = SeededGenerator(seed: seed)
            let all = Self.events(&random)
            let (one, many) = (try await world.member(name: "One"), try await world.member(name: "Many"))
            for events in all {
                let phone = try await world.phone(of: one)
                #expect(try await phone.send(events.map(\.json)).text("rejected") == "[]")
            }
            var phones: [TestPhone] = []
            for _ in all { phones.append(try await world.phone(of: many)) }
            var sent = all.map { _ in 0 }
            while sent != all.map(\.count) {
                let index = Int.random(in: 0..<all.count, using: &random)
                let end = min(all[index].count, sent[index] + Int.random(in: 1...9, using: &random))
                let begin = max(0, sent[index] - Int.random(in: 0...5, using: &random))
                let answer = try await phones[index].send(all[index][begin..<end].map(\.json))
                #expect(answer.status == 200, "\(answer)")
                sent[index] = end
            }
            let expected = try await Self.figures(world, one)
            #expect(expected.count > 4)
            #expect(try await Self.figures(world, many) == expected)
        }
    }

    @Test("syncs of two phones at once give the same days as one after the other")
    func simultaneous() async throws {
        try await FocusWorld.run(at: "2026-03-02T23:00:00Z", enforceRates: false) { world in
            let (one, many) = (try await world.member(name: "One"), try await world.member(name: "Many"))
            let (first, second) = (try await world.phone(of: one), try await world.phone(of: one))
            let phones = [try await world.phone(of: many), try await world.phone(of: many)]
            // Each round lies after the one before, so that no late event mends a state that was lost.
            for hour in 0..<20 {
                func events(_ phone: TestPhone, _ offset: Int) -> [String] {
                    [("L", 0), ("U", 20), ("L", 22)].map { kind, minute in
                        phone.event(kind, String(format: "%02d:%02d", hour, minute + offset))
                    }
                }
                try await first.send(events(first, 0))
                try await second.send(events(second, 5))
                let batches = [events(phones[0], 0), events(phones[1], 5)]
                let statuses = try await atOnce(2) { try await phones[$0].send(batches[$0]).status }
                #expect(statuses == [200, 200])
            }
            let expected = try await Self.figures(world, one)
            #expect(expected.count == 2)
            #expect(try await Self.figures(world, many) == expected)
        }
    }
}

/// SplitMix64.
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
        return bits ^ bits >> 31
    }
}
