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
            var random = SeededNumbers(seed: seed)
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

    /// Guard: a fold reads the days after today that a journey to the west leaves behind (`FocusFigures`)
    @Test("a late event changes the days after today too, which a journey to the west leaves behind")
    func journey() async throws {
        // A Sunday, which is over in Kiritimati.
        try await FocusWorld.run(at: "2026-03-08T12:00:00Z") { world in
            let ada = try await world.member(timeZone: "Pacific/Kiritimati")
            let (first, second) = (try await world.phone(of: ada), try await world.phone(of: ada))
            func at(_ time: String) -> String { "2026-03-08T\(time):00Z" }
            try await first.sync(
                first.event("L", at("09:00")), first.event("U", at("10:30")), first.event("L", at("10:35")),
                first.event("U", at("11:35")))
            #expect(try await world.call(.get, "days/2026-03-09", as: ada).text("streak_count") == "2")
            try await world.postgres.execute("UPDATE users SET time_zone = 'UTC'")
            // The second phone ended the streak, and was in use ever since.
            try await second.sync(second.event("L", at("10:00")), second.event("U", at("10:20")))
            let sunday = try await world.call(.get, "days/2026-03-08", as: ada)
            #expect(sunday.texts("streaks", "seconds") == ["1200"])
            try await world.set("2026-03-09T12:00:00Z")
            for path in ["days/2026-03-09", "weeks/2026-03-09"] {
                let later = try await world.call(.get, path, as: ada)
                #expect(later.text("streak_count") == "0" && later.text("points") == "0", "\(later)")
            }
        }
    }

    @Test("syncs of two phones at once give the same days as one after the other")
    func simultaneous() async throws {
        try await FocusWorld.run(enforceRates: false) { world in
            var random = SeededNumbers(seed: 9)
            let all = Self.events(&random)
            let (one, many) = (try await world.member(name: "One"), try await world.member(name: "Many"))
            for events in all { try await world.phone(of: one).send(events.map(\.json)) }
            var phones: [TestPhone] = []
            for _ in all { phones.append(try await world.phone(of: many)) }
            let senders = phones
            let statuses = try await atOnce(all.count) { index in
                var worst = 200
                for start in stride(from: 0, to: all[index].count, by: 6) {
                    let batch = all[index][start..<start + 6].map(\.json)
                    worst = max(worst, try await senders[index].send(batch).status)
                }
                return worst
            }
            #expect(statuses == all.map { _ in 200 })
            #expect(try await Self.figures(world, many) == Self.figures(world, one))
        }
    }
}
