import DaylyClient
import ClientFixtures
@testable import CompanionClient
import CompanionAPI
import DaylyAPI
import Foundation
import Testing

/// The examples of the product's description.
/// Guard: a phone computes bands, windows, ends of days and texts by the service's rules (`CompanionPhoneDay`,
/// `CompanionPhoneText`)
@Suite("Companion: the day as a phone computes it")
struct CompanionPhoneDayTests {
    private static let begin = CompanionExamples.begin

    private static func zone(_ name: String) throws -> TimeZone { try #require(TimeZone(identifier: name)) }

    private func time(_ clock: String, day: Int = 1) -> Date {
        let parts = clock.split(separator: ":").compactMap { Int($0) }
        let seconds = parts.reduce(0) { 60 * $0 + $1 } * (parts.count == 2 ? 60 : 1)
        return Self.begin.addingTimeInterval(TimeInterval((day - 1) * 86_400 + seconds))
    }

    private func preferences(
        cooldown: Int = 30, _ schedule: CompanionShieldTimes? = nil
    ) -> CompanionPreferences {
        var preferences = CompanionExamples.preferences
        preferences.cooldownMinutes = cooldown
        preferences.schedule = schedule
        return preferences
    }

    @Test(
        "bands",
        arguments: [
            (0, "100 healthy - green 0"), (1, "100 healthy - green 0"), (4, "80 healthy playful green 1"),
            (8, "60 concerned concerned orange 2"), (12, "40 tired strained orange 3"),
            (16, "20 weak faint red 4"), (18, "10 weak faint red 5"), (20, "0 dead dead red 6"),
        ])
    func bands(bypasses: Int, text: String) {
        let day = CompanionPhoneDay(CompanionExamples.day(bypasses: bypasses))
        let band = day.band
        #expect(day.hp == 100 - 5 * bypasses)
        #expect(
            "\(band.value) \(band.state) \(band.tone ?? "-") \(band.colour) \(band.drops)" == text)
    }

    @Test("windows: in one, at its end, over midnight, and the twentieth bypass")
    func windows() throws {
        let berlin = try Self.zone("Europe/Berlin")
        func judge(_ day: inout CompanionPhoneDay, _ times: [Date], cooldown: Int = 30) -> [String] {
            times.map {
                day.bypass(at: $0, settings: preferences(cooldown: cooldown), zone: berlin).rawValue
            }
        }
        var evening = CompanionPhoneDay(CompanionExamples.day())
        #expect(
            judge(&evening, [time("22:00"), time("22:10"), time("23:45")])
                == ["accepted", "window_open", "accepted"])
        #expect(evening.hp == 90)
        var next = evening.next(zone: berlin)
        #expect(next.day == "2026-03-03" && next.beginsAt == evening.endsAt && next.hp == 100)
        #expect(
            judge(&next, [time("00:05", day: 2), time("00:15", day: 2)]) == ["window_open", "accepted"])
        var noon = CompanionPhoneDay(CompanionExamples.day())
        #expect(
            judge(&noon, [time("10:00"), time("10:29:59"), time("10:30")])
                == ["accepted", "window_open", "accepted"])
        var long = CompanionPhoneDay(CompanionExamples.day())
        let times = (0...20).map { time("08:00").addingTimeInterval(TimeInterval($0 * 1_800)) }
        #expect(
            judge(&long, times, cooldown: 10)
                == Array(repeating: "accepted", count: 20) + ["locked"])
        #expect(long.hp == 0 && long.window?.opened == times[18], "the last bypass opens no window")
    }

    @Test("a reshield closes the window at its time, and outside of it nothing")
    func reshield() throws {
        let berlin = try Self.zone("Europe/Berlin")
        var day = CompanionPhoneDay(CompanionExamples.day())
        #expect(day.bypass(at: time("10:00"), settings: preferences(), zone: berlin) == .accepted)
        day.reshield(at: time("10:20").addingTimeInterval(0.9))
        #expect(day.window?.closes == time("10:20"), "the service counts in whole seconds")
        day.reshield(at: time("10:25"))
        #expect(day.window?.closes == time("10:20"))
        #expect(day.bypass(at: time("10:20"), settings: preferences(), zone: berlin) == .accepted)
    }

    @Test("a day without hp is locked first, then the window, then the schedule")
    func order() throws {
        let berlin = try Self.zone("Europe/Berlin")
        let off = preferences(CompanionShieldTimes(from: "09:00", to: "17:00", weekdays: [2]))
        var day = CompanionPhoneDay(CompanionExamples.day(bypasses: 19))
        #expect(day.bypass(at: time("10:00"), settings: off, zone: berlin) == .notShielded)
        #expect(day.bypass(at: time("10:00"), settings: preferences(), zone: berlin) == .accepted)
        #expect(day.bypass(at: time("10:00"), settings: off, zone: berlin) == .locked)
    }

    @Test(
        "schedules",
        arguments: [
            ("09:00", "17:00", [1, 2, 3, 4, 5], "2026-03-02T08:00:00Z", true),
            ("09:00", "17:00", [1, 2, 3, 4, 5], "2026-03-02T16:00:00Z", false),
            ("22:00", "06:00", [1], "2026-03-03T04:59:59Z", true),
            ("22:00", "06:00", [1], "2026-03-02T04:00:00Z", false),
            ("00:00", "00:00", [6, 7], "2026-03-07T11:00:00Z", true),
            ("00:00", "00:00", [6, 7], "2026-03-08T23:00:00Z", false),
        ])
    func schedules(from: String, to: String, weekdays: [Int], time: String, isUp: Bool) throws {
        let times = CompanionShieldTimes(from: from, to: to, weekdays: weekdays)
        let at = try Date(time, strategy: .iso8601)
        #expect(try times.isUp(at: at, zone: Self.zone("Europe/Berlin")) == isUp)
    }

    @Test(
        "the next day's end",
        arguments: [
            ("Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-29", "2026-03-29T22:00:00Z"),
            ("Europe/Berlin", "2026-10-24T22:00:00Z", "2026-10-25", "2026-10-25T23:00:00Z"),
            ("Asia/Beirut", "2026-03-27T22:00:00Z", "2026-03-28", "2026-03-28T22:00:00Z"),
            ("Pacific/Apia", "2011-12-29T10:00:00Z", "2011-12-29", "2011-12-30T10:00:00Z"),
            // After a change of zone a day begins at another hour: at least 18 hours.
            ("America/New_York", "2026-03-03T07:00:00Z", "2026-03-03", "2026-03-04T05:00:00Z"),
            ("Europe/Berlin", "2026-03-03T05:00:00Z", "2026-03-03", "2026-03-03T23:00:00Z"),
            ("Europe/Berlin", "2026-03-03T05:00:01Z", "2026-03-03", "2026-03-04T23:00:00Z"),
        ])
    func nextDay(zone: String, begins: String, name: String, ends: String) throws {
        var message = CompanionExamples.day()
        message.endsAt = try Date(begins, strategy: .iso8601)
        let next = CompanionPhoneDay(message).next(zone: try Self.zone(zone))
        #expect(next.day == name)
        #expect(next.endsAt == (try Date(ends, strategy: .iso8601)))
    }

    @Test("a phone keeps its day over its end")
    func keeping() throws {
        var day = CompanionPhoneDay(CompanionExamples.day(bypasses: 3))
        _ = day.bypass(at: time("10:00"), settings: preferences(), zone: try Self.zone("Europe/Berlin"))
        let kept = try JSONDecoder().decode(CompanionPhoneDay.self, from: JSONEncoder().encode(day))
        #expect(kept == day && kept.hp == 80 && kept.band.drops == 1)
    }
}
