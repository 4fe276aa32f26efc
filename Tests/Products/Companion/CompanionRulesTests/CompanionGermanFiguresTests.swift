import CompanionRules
import Testing

@Suite("the figures of German texts")
struct CompanionGermanFiguresTests {
    @Test(
        "a clock has 24 hours and two digits",
        arguments: [(0, "00:00 Uhr"), (570, "09:30 Uhr"), (720, "12:00 Uhr"), (1_439, "23:59 Uhr")])
    func clocks(minute: Int, text: String) {
        #expect(clockText(minute: minute, in: .german) == text)
    }

    @Test("hours have a decimal comma", arguments: [(2, "0"), (3, "0,1"), (210, "3,5"), (237, "4")])
    func hours(minutes: Int, text: String) {
        #expect(hoursText(minutes: minutes, in: .german) == text)
    }

    @Test(
        "the part of the day is a German noun",
        arguments: [(300, "Morgen"), (720, "Nachmittag"), (1_020, "Abend"), (1_260, "Nacht")])
    func partsOfTheDay(minute: Int, word: String) {
        #expect(DayPart(minute: minute).word(in: .german) == word)
    }
}
