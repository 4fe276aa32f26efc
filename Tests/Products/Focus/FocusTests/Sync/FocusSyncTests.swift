import DaylyTesting
import Foundation
import HTTPKit
import Postgres
import RateLimiting
import Testing

@testable import Focus

@Suite("Syncs of Focus")
struct FocusSyncTests {
    @Test("an unlock after a lock ends a streak, and all figures follow")
    func streak() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada)
            let answer = try await phone.sync(
                phone.event("U", "09:00"), phone.event("L", "09:10"), phone.event("U", "10:10"),
                phone.event("L", "11:30"))
            #expect(answer.status == 200 && answer.text("acknowledged") == "4", "\(answer)")
            #expect(answer.text("server_time") == FocusWorld.start && answer.text("rejected") == "[]")
            #expect(answer.text("others") == "[]" && answer.text("has_more") == "false")
            let now = try await world.call(.get, "now", as: ada)
            #expect(try answer.json("now") == now.decode(TestJSON.self))
            #expect(now.text("day", "day") == "2026-03-02" && now.text("day", "points") == "40.94")
            #expect(now.text("day", "longest_streak") == "3600" && now.text("week", "week") == "2026-03-02")
            #expect(now.text("week", "points") == "40.94" && now.text("week", "streak_count") == "1")
            #expect(now.text("streak", "since") == "2026-03-02T11:30:00Z")
            #expect(now.text("streak", "estimated") == "false" && now.text("status") == "verified")
            let day = try await world.call(.get, "days/2026-03-02", as: ada)
            #expect(day.texts("streaks", "began_at") == ["2026-03-02T09:10:00Z"])
            #expect(day.texts("streaks", "ended_at") == ["2026-03-02T10:10:00Z"])
            #expect(
                day.texts("streaks", "counted") == ["true"] && day.texts("streaks", "points") == ["40.94"])
            #expect(day.text("estimated") == "false" && day.text("minutes") == "null")
        }
    }

    @Test("a phone with Shortcuts counts as locked 180 s after its unlock, and the streak is estimated")
    func estimated() async throws {
        try await FocusWorld.run(at: "2026-03-02T08:00:00Z") { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada, platform: "ios")
            _ = try await world.call(.post, "devices/\(phone.id)/verification", as: ada)
            try await phone.sync(phone.event("V", "08:00:00"))
            try await world.set("2026-03-02T12:00:00Z")
            let answer = try await phone.sync(phone.event("S", "09:00"), phone.event("S", "10:03"))
            #expect(answer.text("now", "day", "streak_count") == "2")
            let day = try await world.call(.get, "days/2026-03-02", as: ada)
            #expect(day.texts("streaks", "seconds") == ["3420", "3600"] && day.text("estimated") == "true")
            #expect(answer.text("now", "streak", "since") == "2026-03-02T10:06:00Z")
            #expect(answer.text("now", "streak", "estimated") == "true")
        }
    }

    @Test("events before a phone's first verification are kept and never scored")
    func uncounted() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada, platform: "ios")
            let early = try await phone.sync(phone.event("L", "09:00"), phone.event("M", "10:00"))
            #expect(early.text("acknowledged") == "2" && early.text("now", "day", "streak_count") == "0")
            _ = try await world.call(.post, "devices/\(phone.id)/verification", as: ada)
            try await phone.sync(phone.event("S", "12:00:00"))
            #expect(try await world.call(.get, "now", as: ada).text("day", "streak_count") == "0")
            let kept: Int = try await world.postgres.count(
                "SELECT sum(octet_length(events)) AS count FROM focus_event_days")
            #expect(kept > 0 && kept <= 15)
        }
    }

    @Test("a repeated event is acknowledged and ignored, and a gap in the numbers is accepted")
    func repeated() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada)
            let events = [phone.event("L", "09:00"), phone.event("U", "10:00")]
            let first = try await phone.send(events)
            let again = try await phone.send(events)
            #expect(again.text("acknowledged") == "2" && again.text("rejected") == "[]")
            #expect(again.text("now", "day", "points") == first.text("now", "day", "points"))
            for _ in 0..<7 { _ = phone.next() }
            let gap = try await phone.sync(phone.event("L", "10:10"), phone.event("U", "11:10"))
            #expect(gap.text("acknowledged") == "11" && gap.text("now", "day", "points") == "81.88")
            let nothing = try await phone.sync()
            #expect(nothing.text("acknowledged") == "11")
        }
    }

    @Test("T1 over HTTP: the phone's clock is corrected, and a rejected event is acknowledged")
    func clocks() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada)
            let far = try await phone.send(
                [phone.event("L", "12:50"), phone.event("U", "14:50")], clientTime: "2026-03-02T15:00:00Z")
            #expect(far.text("now", "day", "longest_streak") == "7200")
            let day = try await world.call(.get, "days/2026-03-02", as: ada)
            #expect(day.texts("streaks", "ended_at") == ["2026-03-02T11:50:00Z"])
            let (old, bad) = (phone.next(), phone.next())
            let answer = try await world.call(
                .post, "sync", as: ada,
                #"""
                {"device_id": "\#(phone.id)", "client_time": "2026-03-02T12:00:00Z", "boot_id": "b", "uptime": 5000,
                "events": [
                {"seq": \#(old), "kind": "lock", "source": "manual", "at": "2026-02-23T11:59:59Z"},
                {"seq": \#(bad), "kind": "lock", "source": "manual", "at": "2026-03-02T11:55:00Z", "boot_id": "b",
                "uptime": 5001},
                {"seq": \#(phone.next()), "kind": "lock", "source": "manual", "at": "2026-03-02T03:00:00Z",
                "boot_id": "b", "uptime": 4700.0}]}
                """#)
            #expect(answer.texts("rejected", "seq") == ["\(old)", "\(bad)"])
            #expect(answer.texts("rejected", "reason") == ["too_old", "bad_clock"])
            #expect(answer.text("acknowledged") == "5")
            #expect(answer.text("now", "streak", "since") == "2026-03-02T11:55:00Z")
        }
    }

    @Test("a phone may send 2,000 new events a UTC day; further ones are rejected as too_many")
    func tooMany() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada)
            for _ in 0..<4 {
                let events = (0..<500).map { _ in phone.event("L", "11:00") }
                #expect(try await phone.send(events).text("rejected") == "[]")
            }
            let more = try await phone.sync(phone.event("L", "11:00"))
            #expect(more.texts("rejected", "reason") == ["too_many"] && more.text("acknowledged") == "2001")
            try await world.postgres.execute("UPDATE focus_devices SET events_count = 32767")
            let evenMore = try await phone.sync(phone.event("L", "11:00"))
            #expect(evenMore.texts("rejected", "reason") == ["too_many"])
            try await world.set("2026-03-03T00:00:00Z")
            #expect(try await phone.sync(phone.event("L", "2026-03-03T00:00:00Z")).text("rejected") == "[]")
        }
    }

    /// Guard: the events of a day are counted over all phones, deleted ones too
    /// (`FocusUserState.events(exceptOf:)`, `FocusUserStore.lockIfPresent`)
    @Test("the 2,000 events of a day are those of all phones of a user, deleted ones included")
    func tooManyOfAll() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let phones = [try await world.phone(of: ada), try await world.phone(of: ada)]
            for (phone, syncs) in zip(phones, [3, 1]) {
                for _ in 0..<syncs {
                    let events = (0..<500).map { _ in phone.event("L", "11:00") }
                    #expect(try await phone.send(events).text("rejected") == "[]")
                }
            }
            #expect(
                try await phones[1].sync(phones[1].event("L", "11:00")).texts("rejected", "reason") == [
                    "too_many"
                ])
            #expect(try await world.call(.delete, "devices/\(phones[0].id)", as: ada).status == 204)
            let third = try await world.phone(of: ada)
            #expect(
                try await third.sync(third.event("L", "11:00")).texts("rejected", "reason") == ["too_many"])
            let bobs = try await world.phone(of: try await world.member(name: "Bob"))
            #expect(try await bobs.sync(bobs.event("L", "11:00")).text("rejected") == "[]")
            try await world.set("2026-03-03T00:00:00Z")
            for phone in [phones[1], third] {
                #expect(
                    try await phone.sync(phone.event("L", "2026-03-03T00:00:00Z")).text("rejected") == "[]")
            }
        }
    }

    /// Guard: a window of syncs that lies ahead is not open (`FocusSyncLimits.Window.isOpen`)
    @Test("a window of syncs that lies ahead is not open, unless a sync that began a little later came first")
    func windowAhead() throws {
        let now = 1_772_712_000
        func limits(began: Int) -> FocusSyncLimits {
            FocusSyncLimits(
                minute: .init(began: began, count: 30), day: .init(began: began, count: 30))
        }
        var ahead = limits(began: now + 9 * 86_400)
        try ahead.take(at: now)
        #expect(
            ahead == FocusSyncLimits(minute: .init(began: now, count: 1), day: .init(began: now, count: 1)))
        var next = limits(began: now + 1)
        #expect(throws: RateLimited.self) { try next.take(at: now) }
    }

    /// Guard: a sync counts against a minute and a day (`FocusSyncLimits.take`)
    @Test("30 syncs a minute and 2,000 a day, then 429 with the fields of the limit")
    func limits() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada)
            for _ in 0..<30 { #expect(try await phone.sync().status == 200) }
            let refused = try await phone.sync()
            #expect(refused.status == 429 && refused.code == "rate_limited" && refused.retryAfter == 60)
            #expect(refused.header("RateLimit-Policy")?.contains("q=30;w=60") == true)
            try await world.clock.advance(by: .seconds(60))
            #expect(try await phone.sync().status == 200)
            try await world.postgres.execute("UPDATE focus_profiles SET sync_day_count = 2000")
            #expect(try await phone.sync().header("RateLimit-Policy")?.contains("q=2000;w=86400") == true)
            try await world.clock.advance(by: .days(1))
            #expect(try await phone.sync().status == 200)
        }
        try await FocusWorld.run(enforceRates: false) { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada)
            for _ in 0..<31 { #expect(try await phone.sync().status == 200) }
        }
    }

    /// Guard: a user's syncs run one after the other (`FocusUserStore.lockIfPresent`)
    @Test("of forty syncs at once, thirty are taken, because a user's syncs wait for each other")
    func syncsAtOnce() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada)
            let statuses = try await atOnce(40) { _ in try await phone.sync().status }
            #expect(statuses.filter { $0 == 200 }.count == 30)
            #expect(statuses.filter { $0 == 429 }.count == 10)
        }
    }

    /// Guard: an uptime is a number that every program can count to (`Uptime.checked`)
    @Test("a wrong sync is refused as a whole")
    func invalid() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada)
            func event(_ members: String) -> String {
                #""events": [{"at": "2026-03-02T12:00:00Z", \#(members)}]"#
            }
            for (members, pointer) in [
                (event(#""seq": 0, "kind": "lock", "source": "manual""#), "/events/0/seq"),
                (event(#""seq": 9007199254740992, "kind": "lock", "source": "manual""#), "/events/0/seq"),
                (event(#""seq": 1, "kind": "nap", "source": "manual""#), "/events/0/kind"),
                (event(#""seq": 1, "kind": "lock""#), "/events/0/source"),
                (event(#""seq": 1, "kind": "lock", "source": "shortcut""#), "/events/0/source"),
                (event(#""seq": 1, "kind": "unlock", "source": "magic""#), "/events/0/source"),
                (event(#""seq": 1, "kind": "open""#), "/events/0/intention_id"),
                (event(#""seq": 1, "kind": "usage", "minutes": 5"#), "/events/0/day"),
                (event(#""seq": 1, "kind": "usage", "day": "2026-02-30", "minutes": 5"#), "/events/0/day"),
                (event(#""seq": 1, "kind": "usage", "day": "2026-03-02""#), "/events/0/minutes"),
                (
                    event(#""seq": 1, "kind": "usage", "day": "2026-03-02", "minutes": 1441"#),
                    "/events/0/minutes"
                ),
                (event(#""seq": 1, "kind": "lock", "source": "manual", "uptime": 5"#), "/events/0/boot_id"),
                (#""events": [], "boot_id": "b""#, "/uptime"), (#""events": [], "uptime": 3"#, "/boot_id"),
                (#""events": [], "uptime": -3, "boot_id": "b""#, "/uptime"),
                (#""events": [], "uptime": 9007199254740992, "boot_id": "b""#, "/uptime"),
                (#""events": [], "uptime": 3, "boot_id": "a b""#, "/boot_id"), ("\"more\": 1", "/events"),
            ] {
                let answer = try await world.call(
                    .post, "sync", as: ada,
                    #"{"device_id": "\#(phone.id)", "client_time": "2026-03-02T12:00:00Z", \#(members)}"#)
                #expect(answer.status == 400 && answer.pointer == pointer, "\(members): \(answer)")
            }
            let falling = try await phone.send(
                [phone.event("L", "11:00"), phone.event("U", "11:30")].reversed())
            #expect(falling.pointer == "/events/1/seq")
            let many = try await phone.send((0...500).map { _ in phone.event("L", "11:00") })
            #expect(many.pointer == "/events")
            let unknown = TestPhone(owner: ada, world: world)
            #expect(try await unknown.sync().code == "not_found")
            let large = try await phone.send([], cursor: String(repeating: "x", count: 256 << 10))
            #expect(large.status == 413 && large.code == "body_too_large")
            #expect(try await phone.sync().text("acknowledged") == "0")
        }
    }

    @Test("a body of up to 256 KiB is taken")
    func large() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada)
            let filled = #"{"padding": "\#(String(repeating: "x", count: 200 << 10))","#
            let answer = try await world.call(
                .post, "sync", as: ada,
                filled + #""device_id": "\#(phone.id)", "client_time": "2026-03-02T12:00:00Z", "events": []}"#
            )
            #expect(answer.status == 200)
        }
    }

    @Test("an open of an unknown intention is rejected")
    func unknownIntention() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada)
            let answer = try await phone.sync(
                #"""
                {"seq": 1, "kind": "open", "at": "2026-03-02T11:00:00Z",
                "intention_id": "0198a6e0-0000-7000-8000-000000000001"}
                """#)
            #expect(answer.texts("rejected", "reason") == ["unknown_intention"])
            #expect(answer.text("acknowledged") == "1")
        }
    }

    @Test("the local day is stored with the event; a later change of zone moves nothing")
    func zones() async throws {
        try await FocusWorld.run(at: "2026-03-01T23:30:00Z") { world in
            let ada = try await world.member(timeZone: "Europe/Berlin")
            let phone = try await world.phone(of: ada)
            try await phone.sync(
                phone.event("L", "2026-03-01T21:00:00Z"), phone.event("U", "2026-03-01T22:59:59Z"),
                phone.event("L", "2026-03-01T23:00:00Z"), phone.event("U", "2026-03-01T23:10:00Z"))
            try await world.postgres.execute("UPDATE users SET time_zone = 'America/New_York'")
            let (sunday, monday) = (
                try await world.call(.get, "days/2026-03-01", as: ada),
                try await world.call(.get, "weeks/2026-02-23", as: ada)
            )
            #expect(sunday.text("streak_count") == "1" && monday.text("streak_count") == "1")
            try await world.set("2026-03-02T12:00:00Z")
            #expect(try await world.call(.get, "days/2026-03-02", as: ada).text("streak_count") == "1")
            #expect(try await world.call(.get, "weeks/2026-03-02", as: ada).text("streak_count") == "1")
        }
    }

    @Test("neither summer time nor a wrong clock adds a point")
    func realTime() async throws {
        try await FocusWorld.run(at: "2026-03-29T06:00:00Z") { world in
            let ada = try await world.member(timeZone: "Europe/Berlin")
            let phone = try await world.phone(of: ada)
            try await phone.sync(
                phone.event("L", "2026-03-28T23:30:00Z"), phone.event("U", "2026-03-29T02:30:00Z"),
                phone.event("L", "2026-03-29T06:00:00Z"))
            #expect(try await world.call(.get, "now", as: ada).text("day", "longest_streak") == "10800")
            try await world.set("2026-03-29T06:30:00Z")
            // Neither of these clocks is right.
            try await phone.sync(phone.event("U", "2026-03-29T23:00:00Z"))
            try await phone.send(
                [phone.event("L", "2027-01-01T00:00:00Z")], clientTime: "2027-01-01T00:00:00Z")
            try await world.set("2026-03-29T07:00:00Z")
            try await phone.send(
                [phone.event("U", "2020-01-01T00:00:00Z")], clientTime: "2020-01-01T00:00:00Z")
            let day = try await world.call(.get, "days/2026-03-29", as: ada)
            #expect(day.texts("streaks", "seconds") == ["10800", "1800", "1800"])
        }
    }

    /// Guard: a late fold reads the deletions of phones again (`FocusStreakKeeper.stored`)
    @Test("a deleted phone does not hold up the others, and its scores stay")
    func deleted() async throws {
        try await FocusWorld.run(at: "2026-03-02T10:00:00Z") { world in
            let ada = try await world.member()
            let (a, b) = (try await world.phone(of: ada), try await world.phone(of: ada))
            try await a.sync(a.event("L", "09:00"))
            try await b.sync(b.event("U", "09:30"))
            #expect(try await world.call(.delete, "devices/\(b.id)", as: ada).status == 204)
            let now = try await world.call(.get, "now", as: ada)
            #expect(now.text("streak", "since") == "2026-03-02T10:00:00Z")
            try await world.set("2026-03-02T11:00:00Z")
            try await a.sync(a.event("U", "11:00"))
            let day = try await world.call(.get, "days/2026-03-02", as: ada)
            #expect(day.texts("streaks", "seconds") == ["1800", "3600"])
            // A late fold reads the deletion again.
            let c = try await world.phone(of: ada)
            try await c.sync(c.event("L", "08:30"), c.event("U", "08:45"), c.event("L", "08:50"))
            let again = try await world.call(.get, "days/2026-03-02", as: ada)
            #expect(again.texts("streaks", "seconds") == ["900", "1800", "3600"])
        }
    }
}
