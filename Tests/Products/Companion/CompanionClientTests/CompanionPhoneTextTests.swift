import DaylyClient
import ClientFixtures
@testable import CompanionClient
import DaylyAPI
import Foundation
import Testing

@Suite("Companion: texts that a phone chooses")
struct CompanionPhoneTextTests {
    private static let id = ResourceID(
        UUID(uuid: (1, 0x98, 0xa6, 0xe0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, 1)))
    /// 2026-03-02 in Europe/Berlin.
    private static let midnight = CompanionExamples.begin

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

    @Test(
        "all figures of a text, by the clocks of the zone",
        arguments: [
            (false, "9:30 AM 12:00 PM 9:00 PM 3.5 4 0.5 90 night"),
            (true, "09:30 Uhr 12:00 Uhr 21:00 Uhr 3,5 4 0,5 90 Nacht"),
        ])
    func figures(isGerman: Bool, text: String) throws {
        func time(_ minute: Int) -> Date { Self.midnight.addingTimeInterval(TimeInterval(60 * minute)) }
        let figures = CompanionPhoneText.Figures(
            hp: 90, usedMinutes: 210, limitMinutes: 240, at: time(1_260), firstUseAt: time(570),
            lastUseAt: time(720), zone: try #require(TimeZone(identifier: "Europe/Berlin")))
        let template = """
            {{firstUseTime}} {{lastUseTime}} {{terminalAtLocalTime}} {{phoneUseHours}} {{goalHours}} \
            {{underByHours}} {{currentHealthBand}} {{dayPart}}
            """
        let chosen = CompanionPhoneText.choose(
            from: [template, "{{overByHours}}"], kind: "terminal", day: "2026-03-02", user: Self.id,
            figures: figures, isGerman: isGerman)
        #expect(chosen == CompanionPhoneText(number: 0, text: text))
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
