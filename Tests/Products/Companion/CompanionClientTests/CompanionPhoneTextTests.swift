import DaylyClient
import ClientFixtures
@testable import CompanionClient
import Companion
import CompanionRules
import DaylyAPI
import DeviceIntake
import Foundation
import Testing

/// Guard: a phone computes bands, windows, ends of days and texts as the service does (`CompanionPhoneDay`,
/// `CompanionPhoneText`)
@Suite("Companion: texts that a phone chooses")
struct CompanionPhoneTextTests {
    private static let user = "0198a6e0-0000-7000-8000-000000000001"
    private static let id = ResourceID(
        UUID(uuid: (1, 0x98, 0xa6, 0xe0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, 1)))
    /// 2026-03-02 in Europe/Berlin.
    private static let midnight = CompanionExamples.begin
    private static let day: DayNumber = 20_514

    private func choose(
        _ pool: DiaryPool, kind: String, hp: Int = 90, used: Int = 210, limit: Int = 240,
        at minute: Int = 570,
        uses: [Int] = [], lately: [Int] = [], language: DiaryLanguage = .english
    ) throws -> CompanionPhoneText? {
        func time(_ minute: Int) -> Date { Self.midnight.addingTimeInterval(TimeInterval(60 * minute)) }
        let texts = CompanionTexts.diary(pool, in: language).map(\.text)
        return CompanionPhoneText.choose(
            from: texts, kind: kind, day: "2026-03-02", user: Self.id,
            figures: .init(
                hp: hp, usedMinutes: used, limitMinutes: limit, at: time(minute),
                firstUseAt: uses.first.map(time), lastUseAt: uses.last.map(time),
                zone: try #require(TimeZone(identifier: "Europe/Berlin"))),
            lately: lately, isGerman: language == .german)
    }

    @Test("the draw of the product's description")
    func draw() {
        #expect(CompanionPhoneText.draw("a") == 0.010753497314070604)
    }

    @Test(
        "the choices of the product's description",
        arguments: [
            ("welcome", 20, 19), ("band.80", 20, 15), ("band.60", 20, 8), ("terminal", 40, 3),
            ("nightly", 40, 31),
        ])
    func examples(kind: String, count: Int, number: Int) throws {
        let pool = (0..<count).map { "Text \($0)." }
        let figures = CompanionPhoneText.Figures(
            hp: 50, usedMinutes: 0, limitMinutes: 60, at: Self.midnight, zone: .gmt)
        let chosen = CompanionPhoneText.choose(
            from: pool, kind: kind, day: "2026-03-02", user: Self.id, figures: figures)
        #expect(chosen == CompanionPhoneText(number: number, text: "Text \(number)."))
        guard kind == "nightly" else { return }
        let fresh = CompanionPhoneText.choose(
            from: pool, kind: kind, day: "2026-03-02", user: Self.id, figures: figures,
            lately: [31, 5, 0, 12])
        #expect(fresh?.number == 32)
        let some = pool.indices.map { 30...32 ~= $0 ? "{{firstUseTime}}" : pool[$0] }
        let eligible = CompanionPhoneText.choose(
            from: some, kind: kind, day: "2026-03-02", user: Self.id, figures: figures, lately: [33, 1])
        #expect(eligible?.number == 28)
    }

    @Test("every pool gives the service's text, with all its words", arguments: DiaryLanguage.allCases)
    func agrees(language: DiaryLanguage) throws {
        let kinds: [(DiaryPool, DiaryKind)] = [
            (.welcome, .welcome), (.band80, .band(.eighty)), (.band0, .band(.zero)), (.terminal, .terminal),
            (.plain, .nightly), (.good, .nightly), (.mixed, .nightly),
        ]
        for (pool, kind) in kinds {
            for (used, minute, uses) in [
                (210, 570, [5, 570]), (330, 1_259, []), (0, 300, [720]), (240, 0, [0]),
            ] {
                let figures = DiaryFigures(
                    hp: 90, usedMinutes: used, limitMinutes: 240, atMinute: minute,
                    firstUseMinute: uses.first, lastUseMinute: uses.last, isTerminal: kind == .terminal)
                for lately in [[], [1, 2, 3, 4, 5, 6, 7]] {
                    let wanted = DiaryChoice.entry(
                        DueText(day: Self.day, kind: kind), from: CompanionTexts.diary(pool, in: language),
                        figures: figures, user: Self.user, lately: lately, language: language)
                    let found = try choose(
                        pool, kind: kind.drawWord, used: used, at: minute, uses: uses, lately: lately,
                        language: language)
                    #expect(found?.number == wanted?.number && found?.text == wanted?.text)
                }
            }
        }
    }

    @Test("a pool whose texts all lack a figure gives none")
    func nothing() {
        let figures = CompanionPhoneText.Figures(
            hp: 100, usedMinutes: 0, limitMinutes: 60, at: Self.midnight, zone: .gmt)
        let chosen = CompanionPhoneText.choose(
            from: ["{{overByHours}}"], kind: "nightly", day: "2026-03-02", user: .numbered(1),
            figures: figures)
        #expect(chosen == nil)
    }
}
