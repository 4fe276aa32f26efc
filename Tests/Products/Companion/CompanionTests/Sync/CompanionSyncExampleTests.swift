import CompanionAPI
import CompanionRules
import DaylyAPI
import DaylyTesting
import DeviceIntake
import Foundation
import Testing

@testable import Companion

@Suite("Syncs of Companion by the tables")
struct CompanionSyncExampleTests {
    @Test("bands: each number of bypasses shows its hp, band, state, tone, colour and drops")
    func bands() async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.owner(
                #"{"consent": "1", "limit_minutes": 120, "cooldown_minutes": 10}"#)
            let phone = world.phone(of: ada)
            let rows: [(ClosedRange<Int>, Int, String, String?, String, Int)] = [
                (0...3, 100, "healthy", nil, "green", 0), (4...7, 80, "healthy", "playful", "green", 1),
                (8...11, 60, "concerned", "concerned", "orange", 2),
                (12...15, 40, "tired", "strained", "orange", 3), (16...17, 20, "weak", "faint", "red", 4),
                (18...19, 10, "weak", "faint", "red", 5), (20...20, 0, "dead", "dead", "red", 6),
            ]
            for (bypasses, band, state, tone, colour, drops) in rows {
                for count in bypasses {
                    if count > 0 {
                        let time = BerlinDays.instant(1, "08:00") + count * 1_800
                        #expect(try await phone.report("bypass", at: time) == "accepted")
                    }
                    let day = try await world.day(of: ada)
                    #expect(day.hp == 100 - 5 * count && day.bypasses == count && day.band == band)
                    #expect(day.state == state && day.tone == tone && day.colour == colour)
                    #expect(day.drops == drops)
                    #expect(day.lockedUntil == (count == 20 ? day.endsAt : nil))
                }
            }
        }
    }

    static let windows: [(Int, String, String, [Int], [Int])] = [
        (
            30, "a bypass 22:00, a bypass 22:10, a bypass 23:45", "accepted, window_open, accepted",
            [90, 100], [2_700, 900]
        ),
        (
            30, "a bypass 23:45, a bypass 00:05 next day, a bypass 00:15 next day",
            "accepted, window_open, accepted", [95, 95], [900, 2_700]
        ),
        (
            30, "a bypass 10:00, a bypass 10:29:59, a bypass 10:30", "accepted, window_open, accepted",
            [90, 100], [3_600, 0]
        ),
        (
            30, "a bypass 10:00, b bypass 10:10, a reshield 10:20, a bypass 10:20",
            "accepted, accepted, accepted, accepted", [85, 100], [4_800, 0]
        ),
        (
            10, "a bypass 08:00 ×21 every 30 min, a bypass 00:00 next day",
            String(repeating: "accepted, ", count: 20) + "locked, accepted", [0, 95], [11_400, 600]
        ),
    ]

    @Test("windows: events that are sent at once", arguments: windows)
    func windowsLive(cooldown: Int, events: String, outcomes: String, hp: [Int], seconds: [Int]) async throws
    {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.owner(
                #"{"consent": "1", "limit_minutes": 120, "cooldown_minutes": \#(cooldown)}"#)
            let phones = [world.phone(of: ada), world.phone(of: ada)]
            var found: [String] = []
            for event in CompanionExampleEvent.list(events) {
                found.append(try await phones[event.device].report(event.kind, at: event.at))
            }
            #expect(found.joined(separator: ", ") == outcomes)
            try await world.set(BerlinDays.instant(2, "12:00"))
            try await Self.check(world, ada, hp: hp, seconds: seconds)
        }
    }

    @Test("windows: the same events in one late batch of each phone", arguments: windows)
    func windowsLate(cooldown: Int, events: String, outcomes: String, hp: [Int], seconds: [Int]) async throws
    {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.owner(
                #"{"consent": "1", "limit_minutes": 120, "cooldown_minutes": \#(cooldown)}"#)
            try await world.set(BerlinDays.instant(5, "12:00"))
            let all = CompanionExampleEvent.list(events)
            for device in 0...1 {
                let phone = world.phone(of: ada)
                let own = all.filter { $0.device == device }
                let answer = try await phone.send(own.map { phone.event($0.kind, at: $0.at) })
                let refused = outcomes.split(separator: ", ").filter { $0 != "accepted" }.map(String.init)
                #expect(
                    try answer.decode(CompanionSyncAnswer.self).rejected.map(\.reason)
                        == (device == 0 ? refused : []))
            }
            try await Self.check(world, ada, hp: hp, seconds: seconds)
        }
    }

    private static func check(
        _ world: CompanionSyncWorld, _ person: Person, hp: [Int], seconds: [Int]
    ) async throws {
        for number in 1...2 {
            let day = try await world.day(BerlinDays.name(number), of: person)
            #expect(day.hp == hp[number - 1], "day \(number)")
            #expect(day.openSeconds == seconds[number - 1], "day \(number)")
        }
    }

    @Test(
        "schedule",
        arguments: [
            ("09:00–17:00 on 1, 2, 3, 4, 5", "2026-03-02T08:00:00Z", true),
            ("09:00–17:00 on 1, 2, 3, 4, 5", "2026-03-02T16:00:00Z", false),
            ("22:00–06:00 on 1", "2026-03-03T04:59:59Z", true),
            ("22:00–06:00 on 1", "2026-03-02T04:00:00Z", false),
            ("00:00–00:00 on 6, 7", "2026-03-07T11:00:00Z", true),
            ("00:00–00:00 on 6, 7", "2026-03-08T23:00:00Z", false),
        ])
    func schedule(schedule: String, time: String, isShielded: Bool) async throws {
        try await CompanionSyncWorld.run { world in
            let parts = schedule.split(separator: " on ")
            let times = parts[0].split(separator: "–")
            let ada = try await world.owner(
                """
                {"consent": "1", "limit_minutes": 120,
                "schedule": {"from": "\(times[0])", "to": "\(times[1])", "weekdays": [\(parts[1])]}}
                """)
            try await world.set(time)
            let at = try CompanionSyncWorld.date(time).instant
            #expect(
                try await world.phone(of: ada).report("bypass", at: at)
                    == (isShielded ? "accepted" : "not_shielded"))
            #expect(try await world.day(of: ada).bypasses == (isShielded ? 1 : 0))
        }
    }

    @Test(
        "energy: days close by final reports, the next day's report, or too late",
        arguments: [
            ([120], [60, 90, 180, 0, nil, 0], [75, 56, 0, 38, nil, 75]), ([120], [nil, 0], [nil, 75]),
            ([120, 240], [60, 60], [75, 94]), ([120], [120, 119, 0], [0, 1, 76]),
        ] as [([Int], [Int?], [Int?])])
    func energy(limits: [Int], reported: [Int?], energy: [Int?]) async throws {
        for isFinal in [true, false] {
            try await CompanionSyncWorld.run { world in
                let ada = try await world.owner(#"{"consent": "1", "limit_minutes": \#(limits[0])}"#)
                if limits.count > 1 {
                    try await world.put(#"{"consent": "1", "limit_minutes": \#(limits[1])}"#, for: ada)
                }
                let phone = world.phone(of: ada)
                for (place, minutes) in reported.enumerated() {
                    let at = BerlinDays.instant(place + 2, "06:00")
                    try await world.set(at)
                    guard let minutes else { continue }
                    try await phone.sync(
                        phone.usage(BerlinDays.name(place + 1), minutes, final: isFinal, at: at))
                }
                let end = BerlinDays.instant(reported.count + 1, "07:00")
                try await world.set(end)
                try await phone.sync(phone.usage(BerlinDays.name(reported.count + 1), 5, at: end))
                for place in energy.indices {
                    let day = try await world.day(BerlinDays.name(place + 1), of: ada)
                    #expect(day.energy == energy[place], "day \(place + 1)")
                    #expect(day.usedMinutes == reported[place] ?? 0)
                }
                #expect(try await world.day(of: ada).energy == nil)
            }
        }
    }
}
