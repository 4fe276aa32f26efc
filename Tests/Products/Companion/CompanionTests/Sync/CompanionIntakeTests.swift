import CompanionAPI
import CompanionRules
import DaylyAPI
import DaylyTesting
import DeviceIntake
import Foundation
import HTTPKit
import HTTPTypes
import Postgres
import Testing

@testable import Companion

@Suite("Syncs of Companion")
struct CompanionIntakeTests {
    private static let noon = BerlinDays.instant(1, "12:00")

    @Test("a new device registers itself by its sync, and the answer shows the running day")
    func registration() async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.owner()
            let phone = world.phone(of: ada)
            try await world.set(Self.noon)
            let answer = try await phone.sync(phone.event("bypass", at: Self.noon))
            #expect(answer.acknowledged == 1 && answer.rejected.isEmpty)
            #expect(answer.serverTime.instant == Self.noon)
            #expect(answer.day.hp == 95 && answer.day.bypasses == 1 && answer.day.openSeconds == 1_800)
            #expect(answer.day.openUntil?.instant == Self.noon + 1_800)
            #expect(try await world.day(of: ada) == answer.day)
            let devices = try await world.call(.get, "devices", as: ada).decode(CompanionDeviceList.self)
            #expect(devices.devices.map(\.id.description) == [phone.id])
            #expect(devices.devices.map(\.lastSeq) == [1])
            #expect(devices.devices.map(\.syncedAt.instant) == [Self.noon])
        }
    }

    /// Guard: an owner has five phones (`CompanionSyncService.findOrRegister`)
    @Test("the sixth device is refused until one is removed, and what a removed one reported stays")
    func devices() async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.owner()
            let phones = (0..<6).map { _ in world.phone(of: ada) }
            try await world.set(Self.noon)
            for phone in phones.prefix(5) { try await phone.sync(phone.event("bypass", at: Self.noon)) }
            let refused = try await phones[5].send([])
            #expect(refused.status == 409 && refused.code == "device_limit_reached")
            #expect(try await phones[0].send([]).status == 200)
            #expect(try await world.call(.delete, "devices/\(phones[0].id)", as: ada).status == 204)
            #expect(try await world.call(.delete, "devices/\(phones[0].id)", as: ada).status == 404)
            #expect(try await phones[5].send([]).status == 200)
            let day = try await world.day(of: ada)
            #expect(day.hp == 75 && day.openSeconds == 9_000 && day.openUntil?.instant == Self.noon + 1_800)
        }
    }

    /// Guard: refused syncs are counted (`CompanionSyncService.sync`)
    @Test("refused syncs of a sixth device count against the limit of syncs, too")
    func refusedCount() async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.owner()
            for _ in 0..<5 { #expect(try await world.phone(of: ada).send([]).status == 200) }
            let sixth = world.phone(of: ada)
            for _ in 0..<25 { #expect(try await sixth.send([]).status == 409) }
            #expect(try await sixth.send([]).status == 429)
        }
    }

    /// Guard: an owner has five phones (`CompanionSyncService.findOrRegister`)
    @Test("of many new devices at once five are registered")
    func devicesAtOnce() async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.owner()
            let statuses = try await atOnce(12) { _ in try await world.phone(of: ada).send([]).status }
            #expect(statuses.filter { $0 == 200 }.count == 5 && statuses.filter { $0 == 409 }.count == 7)
        }
    }

    /// Guard: a phone that is known is written again (`CompanionDeviceStore.write`)
    @Test("a repeated event is acknowledged and ignored, and a gap in the numbers is accepted")
    func repeated() async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.owner(
                #"{"consent": "1", "limit_minutes": 120, "cooldown_minutes": 10}"#)
            let phone = world.phone(of: ada)
            try await world.set(Self.noon)
            let events = [0, 1_200].map { phone.event("bypass", at: Self.noon - 3_600 + $0) }
            for _ in 0..<3 {
                let answer = try await phone.send(events).decode(CompanionSyncAnswer.self)
                #expect(answer.acknowledged == 2 && answer.rejected.isEmpty && answer.day.bypasses == 2)
            }
            for _ in 0..<7 { _ = phone.next() }
            let gap = try await phone.sync(phone.event("bypass", at: Self.noon))
            #expect(gap.acknowledged == 10 && gap.day.bypasses == 3)
        }
    }

    @Test("the time of an event: a wrong clock, an uptime, too old, before joining, and never back")
    func times() async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.owner()
            let phone = world.phone(of: ada)
            try await world.set(Self.noon)
            func event(_ at: String, _ more: String = "") -> String {
                #"{"seq": \#(phone.next()), "kind": "reshield", "at": "\#(at)"\#(more)}"#
            }
            func outcome(_ event: String, client: String? = nil) async throws -> String {
                let answer = try await phone.send([event], clientTime: client)
                return try answer.decode(CompanionSyncAnswer.self).rejected.first?.reason ?? "accepted"
            }
            #expect(try await outcome(event("2026-02-23T10:59:59Z")) == "too_old")
            #expect(try await outcome(event("2026-03-01T22:59:59Z")) == "unknown_day")
            // The phone's clock is a year behind: 13 h ago is right.
            #expect(
                try await outcome(event("2025-03-01T22:00:00Z"), client: "2025-03-02T11:00:00Z")
                    == "unknown_day")
            let body = """
                {"device_id": "\(phone.id)", "client_time": "2026-03-02T11:00:00Z", "boot_id": "x", "uptime": 100,
                "events": [\(event("2020-01-01T00:00:00Z", #", "boot_id": "x", "uptime": 101"#)),
                \(event("2020-01-01T00:00:00Z", #", "boot_id": "x", "uptime": 40"#))]}
                """
            let answer = try await world.call(.post, "sync", as: ada, body).decode(CompanionSyncAnswer.self)
            #expect(answer.rejected.map(\.reason) == ["bad_clock"])
            let last: Int = try await world.count(
                "SELECT extract(epoch FROM last_event_at)::bigint AS count FROM companion_devices")
            #expect(last == Self.noon - 60)
            // An earlier event has the time of the last one, which is in the window that it opens.
            try await phone.sync(phone.event("bypass", at: Self.noon - 3_600))
            #expect(try await world.day(of: ada).firstUseAt?.instant == Self.noon - 60)
            // A time ahead of the service's counts from then on.
            #expect(
                try await phone.sync(phone.event("reshield", at: Self.noon + 7_200)).day.openSeconds == 60)
        }
    }

    @Test("an event belongs to the day that holds the earlier of its time and its arrival")
    func ahead() async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.owner()
            let phone = world.phone(of: ada)
            try await world.set(BerlinDays.instant(1, "23:59:30"))
            let answer = try await phone.sync(phone.event("bypass", at: BerlinDays.instant(2, "00:00:20")))
            #expect(answer.day.day == BerlinDays.name(1) && answer.day.bypasses == 1)
            #expect(answer.day.openSeconds == 0 && answer.day.openUntil == nil)
            try await world.set(BerlinDays.instant(2, "00:10"))
            let next = try await world.day(of: ada)
            #expect(next.bypasses == 0 && next.openSeconds == 1_800)
            #expect(next.openUntil?.instant == BerlinDays.instant(2, "00:30:20"))
        }
    }

    @Test("a change of zone that moves the day's end moves the parts of the windows with it")
    func zoneChange() async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.owner()
            let phone = world.phone(of: ada)
            try await phone.report("bypass", at: BerlinDays.instant(1, "23:45"))
            #expect(try await world.day(of: ada).openSeconds == 900)
            try await world.set(BerlinDays.instant(1, "23:50"))
            try await world.changeZone(of: ada.id, to: "America/New_York", by: world.feature)
            #expect(try await world.day(of: ada).openSeconds == 1_800)
            try await world.set(BerlinDays.instant(2, "12:00"))
            #expect(try await world.day(of: ada).openSeconds == 0)
        }
    }

    @Test("a change of zone that ends the day before a window takes all of the window's seconds off it")
    func zoneChangeBeforeWindow() async throws {
        try await CompanionSyncWorld.run(at: "2026-03-02T08:00:00Z") { world in
            let ada = try await world.owner(zone: "America/Los_Angeles")
            let phone = world.phone(of: ada)
            let change = try CompanionSyncWorld.date("2026-03-03T07:00:00Z").instant
            try await world.set(change - 30)
            // The phone's clock is a little ahead.
            let answer = try await phone.sync(phone.event("bypass", at: change))
            #expect(answer.rejected.isEmpty && answer.day.openSeconds == 1_800)
            try await world.set(change)
            try await world.changeZone(of: ada.id, to: "America/New_York", by: world.feature)
            #expect(try await world.day("2026-03-02", of: ada).openSeconds == 0)
            #expect(try await world.day(of: ada).openSeconds == 1_800)
        }
    }

    @Test("usage: the largest report counts, of a known day that ended at most 7 days ago")
    func usage() async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.owner()
            let (one, two) = (world.phone(of: ada), world.phone(of: ada))
            try await world.set(Self.noon)
            try await one.sync(one.usage(BerlinDays.name(1), 40, final: true, at: Self.noon))
            let day = try await two.sync(two.usage(BerlinDays.name(1), 30, at: Self.noon)).day
            #expect(day.usedMinutes == 40 && day.within && day.energy == nil)
            let unknown = try await one.sync(
                one.usage(BerlinDays.name(2), 1, at: Self.noon),
                one.usage(BerlinDays.name(0), 1, at: Self.noon))
            #expect(unknown.rejected.map(\.reason) == ["unknown_day", "unknown_day"])
            let end = BerlinDays.midnight(of: 2) + 7 * 86_400
            try await world.set(end)
            let taken = try await one.sync(one.usage(BerlinDays.name(1), 60, at: end))
            #expect(taken.rejected.isEmpty)
            try await world.set(end + 1)
            let old = try await one.sync(one.usage(BerlinDays.name(1), 90, at: end + 1))
            #expect(old.rejected.map(\.reason) == ["too_old"])
            #expect(try await world.day(BerlinDays.name(1), of: ada).usedMinutes == 60)
            try await world.set(BerlinDays.instant(60, "12:00"))
            let older = try await one.sync(
                one.usage(BerlinDays.name(1), 90, at: BerlinDays.instant(60, "12:00")),
                one.usage("2026-03-01", 90, at: BerlinDays.instant(60, "12:00")))
            #expect(older.rejected.map(\.reason) == ["too_old", "unknown_day"])
        }
    }

    @Test("a closed day takes reports that change nothing, and closes once for all days before it")
    func closed() async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.owner()
            let phone = world.phone(of: ada)
            let later = BerlinDays.instant(40, "08:00")
            try await world.set(later)
            try await phone.sync(phone.usage(BerlinDays.name(39), 60, final: true, at: later))
            #expect(try await world.day(BerlinDays.name(39), of: ada).energy == 38)
            let open: Int = try await world.count(
                "SELECT count(*) AS count FROM companion_days WHERE closed_at IS NULL")
            #expect(open == 1)
            let again = try await phone.sync(
                phone.usage(BerlinDays.name(39), 90, at: later),
                phone.usage(BerlinDays.name(38), 0, at: later))
            #expect(again.rejected.isEmpty)
            let day = try await world.day(BerlinDays.name(39), of: ada)
            #expect(day.usedMinutes == 60 && day.energy == 38)
            #expect(try await world.day(BerlinDays.name(38), of: ada).energy == nil)
        }
    }

    /// Guard: a day closes once, and keeps the time of its closing (`CompanionDayClosing.close`,
    /// `CompanionDayStore.closeWithoutReport`)
    @Test("a day that was closed long ago keeps the time of its closing when the days after it close")
    func closedLongAgo() async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.owner()
            let phone = world.phone(of: ada)
            for number in [2, 40] {
                let morning = BerlinDays.instant(number, "08:00")
                try await world.set(morning)
                try await phone.sync(phone.usage(BerlinDays.name(number - 1), 60, final: true, at: morning))
            }
            let closed = try await world.postgres.query(
                "SELECT extract(epoch FROM closed_at)::bigint AS at FROM companion_days ORDER BY day LIMIT 2")
            #expect(
                try closed.map { try $0.get("at", as: Int.self) }
                    == [BerlinDays.instant(2, "08:00"), BerlinDays.instant(40, "08:00")])
        }
    }

    /// Guard: syncs are counted by the minute and the day, and a device's events by the day
    /// (`CompanionSyncService`)
    @Test("a device may report 500 events a UTC day; more are too_many before anything else is asked")
    func tooMany() async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.owner()
            let phone = world.phone(of: ada)
            try await world.set(Self.noon)
            let first = try await phone.send((0..<499).map { _ in phone.event("open", at: Self.noon) })
            #expect(try first.decode(CompanionSyncAnswer.self).rejected.isEmpty)
            let second = try await phone.send(
                (0..<3).map { _ in phone.event("open", at: Self.noon - 900_000) })
            #expect(
                try second.decode(CompanionSyncAnswer.self).rejected.map(\.reason)
                    == ["too_old", "too_many", "too_many"])
            #expect(try await world.phone(of: ada).report("open", at: Self.noon) == "accepted")
            try await world.set("2026-03-03T00:00:00Z")
            #expect(try await phone.report("open", at: Self.noon + 60_000) == "accepted")
        }
        try await CompanionSyncWorld.run(enforceRates: false) { world in
            let ada = try await world.owner()
            let phone = world.phone(of: ada)
            _ = try await phone.send(
                (0..<500).map { _ in phone.event("open", at: BerlinDays.midnight(of: 1)) })
            #expect(try await phone.report("open", at: BerlinDays.midnight(of: 1)) == "accepted")
        }
    }

    /// Guard: syncs are counted by the minute and the day, and a device's events by the day
    /// (`CompanionSyncService`)
    @Test("30 syncs a minute and 500 a day, whichever phones send them, then 429")
    func rates() async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.owner()
            let phones = [world.phone(of: ada), world.phone(of: ada)]
            for place in 0..<30 { #expect(try await phones[place % 2].send([]).status == 200) }
            let refused = try await phones[0].send([])
            #expect(refused.status == 429 && refused.code == "rate_limited" && refused.retryAfter == 60)
            #expect(refused.header("RateLimit-Policy")?.contains("q=30;w=60") == true)
            for _ in 1..<16 {
                try await world.clock.advance(by: .seconds(60))
                for _ in 0..<30 { #expect(try await phones[0].send([]).status == 200) }
            }
            try await world.clock.advance(by: .seconds(60))
            for _ in 0..<20 { #expect(try await phones[0].send([]).status == 200) }
            let day = try await phones[0].send([])
            #expect(day.status == 429)
            #expect(day.header("RateLimit-Policy")?.contains("q=500;w=86400") == true)
            try await world.clock.advance(by: .days(1))
            #expect(try await phones[0].send([]).status == 200)
        }
        try await CompanionSyncWorld.run(enforceRates: false) { world in
            let ada = try await world.owner()
            let phone = world.phone(of: ada)
            for _ in 0..<31 { #expect(try await phone.send([]).status == 200) }
        }
    }

    @Test("a wrong sync is refused as a whole and points at the fault")
    func invalid() async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.owner()
            let id = UUID().uuidString
            func sync(_ events: String, _ more: String = "") async throws -> HTTPAnswer {
                try await world.call(
                    .post, "sync", as: ada,
                    """
                    {"device_id": "\(id)", "client_time": "2026-03-02T12:00:00Z"\(more), "events": [\(events)]}
                    """)
            }
            func event(_ members: String) -> String { #"{"at": "2026-03-02T11:00:00Z", \#(members)}"# }
            for (members, pointer) in [
                (#""seq": 0, "kind": "open""#, "/events/0/seq"),
                (#""seq": 1, "kind": "lock""#, "/events/0/kind"),
                (#""seq": 1, "kind": "usage", "minutes": 1"#, "/events/0/day"),
                (#""seq": 1, "kind": "usage", "day": "2026-02-30", "minutes": 1"#, "/events/0/day"),
                (#""seq": 1, "kind": "usage", "day": "2026-03-02"#, "/events/0/minutes"),
                (#""seq": 1, "kind": "usage", "day": "2026-03-02", "minutes": 3601"#, "/events/0/minutes"),
                (#""seq": 1, "kind": "usage", "day": "2026-03-02", "minutes": -1"#, "/events/0/minutes"),
                (#""seq": 1, "kind": "open", "uptime": 1"#, "/events/0/boot_id"),
                (#""seq": 1, "kind": "open", "boot_id": "x"#, "/events/0/uptime"),
                (#""seq": 1, "kind": "open", "boot_id": "", "uptime": 1"#, "/events/0/boot_id"),
            ] {
                let text = members.filter { $0 == "\"" }.count % 2 == 1 ? members + "\"" : members
                let answer = try await sync(event(text))
                #expect(answer.status == 400 && answer.pointer == pointer, "\(members): \(answer)")
            }
            let falling = try await sync(
                event(#""seq": 2, "kind": "open""#) + "," + event(#""seq": 2, "kind": "open""#))
            #expect(falling.status == 400 && falling.pointer == "/events/1/seq")
            let many = try await sync(
                (1...501).map { event(#""seq": \#($0), "kind": "open""#) }.joined(separator: ","))
            #expect(many.status == 400 && many.pointer == "/events")
            let large = try await sync("", #", "x": "\#(String(repeating: "x", count: 256 << 10))""#)
            #expect(large.status == 413 && large.code == "body_too_large")
            #expect(try await world.count("SELECT count(*) AS count FROM companion_devices") == 0)
        }
    }

    @Test("whoever has not joined gets 409 from all calls but the survey and the texts")
    func strangers() async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.person()
            for (method, path) in [("GET", "devices"), ("GET", "diary"), ("DELETE", "devices/\(UUID())")] {
                let answer = try await world.call(
                    try #require(HTTPRequest.Method(rawValue: method)), path, as: ada)
                #expect(answer.status == 409 && answer.code == "companion_not_joined", "\(path)")
            }
            let sync = try await world.phone(of: ada).send([])
            #expect(sync.status == 409 && sync.code == "companion_not_joined")
            #expect(try await world.call(.get, "texts", as: ada).status == 200)
        }
    }
}
