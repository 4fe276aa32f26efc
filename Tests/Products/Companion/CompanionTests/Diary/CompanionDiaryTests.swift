import CompanionAPI
import CompanionRules
import DaylyAPI
import DaylyTesting
import DeviceIntake
import FeatureKit
import Foundation
import HTTPKit
import HTTPTypes
import Postgres
import Testing

@testable import Companion

@Suite("The diary of Companion")
struct CompanionDiaryTests {
    static let examples: [(String, String)] = [
        (
            "1 08:00 open, 1 09:00 bypass ×4 every 60 min",
            "welcome 1 08:00, band.80 1 12:00, nightly 2 01:00"
        ),
        ("1 09:00 bypass, 1 20:59 open, 1 21:00 open", "welcome 1 20:59, nightly 1 21:00"),
        ("1 09:00 bypass, 2 00:59 open", "nightly 2 00:59"),
        ("2 00:30 open", ""),
        (
            "1 08:00 bypass ×20 every 30 min, 1 22:00 open",
            "band.80 1 09:30, band.60 1 11:30, band.40 1 13:30, band.20 1 15:30, band.10 1 16:30, "
                + "terminal 1 17:30, welcome 1 22:00"
        ),
        (
            "1 11:00 bypass ×19 every 30 min, 1 21:30 open, 1 22:00 bypass",
            "band.80 1 12:30, band.60 1 14:30, band.40 1 16:30, band.20 1 18:30, band.10 1 19:30, "
                + "welcome 1 21:30, nightly 1 21:30, band.0 1 22:00"
        ),
    ]

    private static let settings = #"{"consent": "1", "limit_minutes": 120, "cooldown_minutes": 10}"#

    @Test(
        "events and the texts of day 1; the summary comes by itself with the next call", arguments: examples)
    func texts(events: String, wanted: String) async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.owner(Self.settings)
            let phone = world.phone(of: ada)
            for event in CompanionExampleEvent.list(events) {
                #expect(try await phone.report(event.kind, at: event.at) == "accepted")
            }
            try await world.set(BerlinDays.instant(3, "00:00"))
            #expect(try await Self.texts(of: 1, world.diary(of: ada)) == wanted)
        }
    }

    @Test("the same when jobs alone write what is due, by two instances at once", arguments: examples)
    func byJobs(events: String, wanted: String) async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.owner(Self.settings)
            let phone = world.phone(of: ada)
            for event in CompanionExampleEvent.list(events) {
                try await phone.report(event.kind, at: event.at)
            }
            try await world.set(BerlinDays.instant(2, "01:00") - 1)
            try await world.feature.summaries.runOnce()
            try await world.set(BerlinDays.instant(2, "01:00"))
            let feature = world.feature
            _ = try await atOnce(4) { _ in try await feature.summaries.runOnce() }
            let rows = try await world.text(
                """
                SELECT coalesce(string_agg(
                    CASE kind WHEN 'band' THEN 'band.' || band ELSE kind END, ', ' ORDER BY ordinal), '') AS text
                FROM companion_diary WHERE user_id = \(ada.id) AND day = '2026-03-02'
                """)
            let kinds = wanted.split(separator: ", ").compactMap { $0.split(separator: " ").first }
            #expect(rows == kinds.joined(separator: ", "))
        }
    }

    /// The texts about a day in the order in which they were written.
    private static func texts(of number: Int, _ entries: [CompanionEntry]) -> String {
        entries.reversed().filter { $0.day == BerlinDays.name(number) }.map { entry in
            let kind = entry.kind == "band" ? entry.pool : entry.kind
            return "\(kind) \(BerlinDays.text(entry.at.instant))"
        }.joined(separator: ", ")
    }

    @Test("late events write the texts that are due and missing, and change none")
    func late() async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.owner(Self.settings)
            let phone = world.phone(of: ada)
            try await phone.report("bypass", at: BerlinDays.instant(1, "09:00"))
            try await world.set(BerlinDays.instant(2, "08:00"))
            let before = try await world.diary(of: ada)
            #expect(Self.texts(of: 1, before) == "nightly 2 01:00")
            let late = (0..<19).map { phone.event("bypass", at: BerlinDays.instant(1, "10:00") + $0 * 1_200) }
            #expect(try await phone.send(late).status == 200)
            let after = try await world.diary(of: ada)
            #expect(after.filter { $0.kind == "nightly" } == before)
            #expect(
                after.filter { $0.kind == "band" }.map(\.pool).sorted()
                    == ["band.0", "band.10", "band.20", "band.40", "band.60", "band.80"])
            #expect(try await world.day(BerlinDays.name(1), of: ada).hp == 0)
            #expect(try await world.day(of: ada).hp == 100)
        }
    }

    @Test("a late open still writes a missing summary, but no event after 01:00 lets one come by itself")
    func lateOpen() async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.owner()
            let phone = world.phone(of: ada)
            try await world.set(BerlinDays.instant(2, "08:00"))
            #expect(try await world.diary(of: ada).isEmpty)
            try await phone.sync(phone.event("reshield", at: BerlinDays.instant(1, "10:00")))
            try await world.set(BerlinDays.instant(2, "09:00"))
            #expect(try await world.diary(of: ada).isEmpty)
            try await phone.sync(phone.event("open", at: BerlinDays.instant(2, "00:30")))
            let diary = try await world.diary(of: ada)
            #expect(Self.texts(of: 1, diary) == "nightly 2 00:30")
            #expect(Self.texts(of: 2, diary) == "welcome 2 00:30")
        }
    }

    @Test("an open writes up to three texts: the day before's summary, the welcome, and the own summary")
    func three() async throws {
        try await CompanionSyncWorld.run(at: "2026-03-02T22:59:00Z") { world in
            // The first day lasts a minute, and the second one ends at the next midnight.
            let ada = try await world.owner()
            let phone = world.phone(of: ada)
            try await phone.report("reshield", at: BerlinDays.instant(1, "23:59:30"))
            try await phone.report("open", at: BerlinDays.instant(2, "00:00"))
            try await phone.report("open", at: BerlinDays.instant(2, "21:00"))
            let diary = try await world.diary(of: ada).reversed()
            #expect(
                diary.map { "\($0.kind) \($0.day)" } == [
                    "nightly 2026-03-02", "welcome 2026-03-03", "nightly 2026-03-03",
                ])
        }
    }

    @Test(
        "the numbers of the table of choices",
        arguments: [("welcome", 19), ("band.80", 15), ("band.60", 8)])
    func choice(kind: String, number: Int) async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.exampleOwner(Self.settings)
            let phone = world.phone(of: ada)
            try await phone.report("open", at: BerlinDays.instant(1, "08:00"))
            for place in 0..<8 {
                try await phone.report("bypass", at: BerlinDays.instant(1, "09:00") + place * 1_800)
            }
            let entry = try #require(try await world.diary(of: ada).first { $0.pool == kind })
            #expect(entry.number == number)
            #expect(entry.hp == (kind == "welcome" ? 100 : kind == "band.80" ? 80 : 60))
        }
    }

    @Test("a text that a pool gave in its last 7 entries is not given again")
    func lately() async throws {
        try await CompanionSyncWorld.run(enforceRates: false) { world in
            let ada = try await world.owner()
            let phone = world.phone(of: ada)
            for number in 1...30 { try await phone.report("open", at: BerlinDays.instant(number, "08:00")) }
            let numbers = try await world.diary(of: ada).filter { $0.kind == "welcome" }.map(\.number)
            #expect(numbers.count >= 25)
            for place in numbers.indices.dropLast(7) {
                #expect(!numbers[(place + 1)...(place + 7)].contains(numbers[place]))
            }
        }
    }

    @Test("the diary comes newest first, 50 a page, and a cursor of nobody is 410")
    func pages() async throws {
        try await CompanionSyncWorld.run(enforceRates: false) { world in
            let ada = try await world.owner()
            let phone = world.phone(of: ada)
            for number in 1...40 { try await phone.report("open", at: BerlinDays.instant(number, "21:30")) }
            let first = try await world.call(.get, "diary", as: ada).decode(CompanionDiary.self)
            #expect(first.entries.count == 50)
            let cursor = try #require(first.cursor)
            let second = try await world.call(.get, "diary?cursor=\(cursor)", as: ada)
                .decode(CompanionDiary.self)
            #expect(second.entries.count == 30 && second.cursor == nil)
            let all = first.entries + second.entries
            #expect(Set(all.map(\.id)).count == 80)
            #expect(all.map(\.at) == all.map(\.at).sorted(by: >))
            // Texts of one event come in the reverse of the order in which they were written.
            #expect(all.prefix(2).map(\.kind) == ["nightly", "welcome"])
            let bob = try await world.owner()
            #expect(try await world.call(.get, "diary?cursor=\(cursor)", as: bob).code == "cursor_expired")
            let wrong = try await world.call(.get, "diary?cursor=x", as: ada)
            #expect(wrong.status == 410 && wrong.code == "cursor_expired")
        }
    }

    @Test("each reader gets the texts in the language that the request accepts")
    func languages() async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.owner()
            try await world.phone(of: ada).report("open", at: BerlinDays.instant(1, "08:00"))
            let english = try #require(try await world.diary(of: ada).first)
            let german = try #require(try await world.diary(of: ada, language: "de-AT, en;q=0.5").first)
            #expect(english.number == german.number && english.id == german.id)
            #expect(english.text != german.text)
            func welcome(_ language: DiaryLanguage) -> String {
                CompanionTexts.diary(.welcome, in: language)[german.number].text
            }
            #expect(german.text == welcome(.german).replacing("{{dayPart}}", with: "Morgen"))
            #expect(english.text == welcome(.english).replacing("{{dayPart}}", with: "morning"))
        }
    }
}

extension CompanionSyncWorld {
    /// The user of the examples, who has joined.
    func exampleOwner(_ settings: String) async throws -> Person {
        let id = UserID(try #require(UUID(uuidString: "0198a6e0-0000-7000-8000-000000000001")))
        let number = Fixtures.phoneNumber()
        try await postgres.execute(
            """
            INSERT INTO users (id, phone_number, first_name, time_zone)
            VALUES (\(id), \(number), 'Ada', 'Europe/Berlin')
            """)
        let session = try await Fixtures.session(in: postgres, of: id)
        let person = Person(id: id, session: session, number: number, token: "")
        try await put(settings, for: person)
        return person
    }
}
