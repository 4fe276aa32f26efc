import CompanionAPI
import CompanionRules
import DaylyAPI
import DaylyTesting
import DeviceIntake
import Foundation
import Testing

@testable import Companion

@Suite("Summaries of Companion by the table")
struct CompanionSummaryExampleTests {
    struct Row: Sendable {
        let hp: Int
        let reported: Int?
        let openSeconds: Int
        let pool: String
        /// By placeholder; a missing one is not in the table's row.
        let figures: [String: String]

        init(
            _ hp: Int, _ reported: Int?, _ openSeconds: Int, _ pool: String, _ use: String, _ over: String?,
            _ under: String?
        ) {
            (self.hp, self.reported, self.openSeconds, self.pool) = (hp, reported, openSeconds, pool)
            var figures = ["phoneUseHours": use, "goalHours": "4", "currentHealthBand": "\(hp)"]
            figures["overByHours"] = over
            figures["underByHours"] = under
            self.figures = figures
        }
    }

    static let rows = [
        Row(90, 210, 3_600, "good", "3.5", nil, "0.5"), Row(30, 330, 25_200, "mixed", "5.5", "1.5", nil),
        Row(0, 360, 34_200, "terminal", "6", "2", nil), Row(15, 200, 30_600, "mixed", "3.3", nil, "0.7"),
        Row(60, 300, 14_400, "mixed", "5", "1", nil), Row(40, 240, 21_600, "good", "4", nil, nil),
        Row(40, 242, 21_600, "mixed", "4", nil, nil), Row(95, nil, 1_859, "good", "0.5", nil, "3.5"),
        Row(100, 300, 0, "mixed", "5", "1", nil), Row(100, nil, 0, "plain", "0", nil, "4"),
    ]

    @Test("the summary's pool, and its text with exactly the figures of the table", arguments: rows)
    func summary(row: Row) async throws {
        try await CompanionSyncWorld.run { world in
            let isLong = row.openSeconds == 1_859
            let ada = try await world.owner(
                #"{"consent": "1", "limit_minutes": 240, "cooldown_minutes": \#(isLong ? 45 : 30)}"#)
            let phone = world.phone(of: ada)
            let begin = BerlinDays.instant(1, "08:00")
            try await world.set(begin)
            if let reported = row.reported {
                try await phone.sync(phone.usage(BerlinDays.name(1), reported, at: begin))
            } else {
                try await phone.sync(phone.event("reshield", at: begin))
            }
            let count = (100 - row.hp) / 5
            for place in 0..<count { try await phone.report("bypass", at: begin + place * 1_800) }
            if isLong { try await phone.report("reshield", at: begin + 1_859) }
            #expect(try await world.day(of: ada).openSeconds == row.openSeconds)
            try await world.set(BerlinDays.instant(2, "08:00"))
            let entry = try #require(
                try await world.diary(of: ada).first { $0.kind == "nightly" || $0.kind == "terminal" })
            #expect(entry.pool == row.pool && entry.hp == row.hp)
            try Self.check(entry, row, count: count)
        }
    }

    /// The text is its template with the figures of the row and the times of the events, and no placeholder is left.
    private static func check(_ entry: CompanionEntry, _ row: Row, count: Int) throws {
        var figures = row.figures
        if count > 0 {
            figures["firstUseTime"] = "8:00 AM"
            figures["lastUseTime"] = clockText(minute: 480 + (count - 1) * 30)
        }
        if entry.kind == "terminal" { figures["terminalAtLocalTime"] = clockText(minute: 480 + 19 * 30) }
        figures["dayPart"] = entry.kind == "terminal" ? "evening" : "night"
        let pool = try #require(DiaryPool(rawValue: entry.pool))
        var text = CompanionTexts.diary(pool, in: .english)[entry.number].text
        for (name, value) in figures { text = text.replacing("{{\(name)}}", with: value) }
        #expect(entry.text == text)
        #expect(!entry.text.contains("{{"))
    }
}
