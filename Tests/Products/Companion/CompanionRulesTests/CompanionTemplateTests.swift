import CompanionRules
import DeviceIntake
import Testing

@Suite("Texts of the diary and their placeholders")
struct CompanionTemplateTests {
    private static let figures = DiaryFigures(
        hp: 85, usedMinutes: 210, limitMinutes: 240, atMinute: 1_290, firstUseMinute: 570, lastUseMinute: 720)

    @Test("placeholders become figures, and other braces stay")
    func fills() {
        let template = DiaryTemplate(
            "{{firstUseTime}}–{{lastUseTime}} {{what}} {{dayPart}}{{currentHealthBand}}}}")
        #expect(template.placeholders == [.firstUseTime, .lastUseTime, .dayPart, .currentHealthBand])
        #expect(template.filled(with: Self.figures) == "9:30 AM–12:00 PM {{what}} night85}}")
    }

    @Test("a text with a missing figure is not filled")
    func missing() {
        #expect(DiaryTemplate("{{overByHours}}").filled(with: Self.figures) == nil)
        #expect(DiaryTemplate("{{underByHours}}").filled(with: Self.figures) == "0.5")
        #expect(DiaryTemplate("{{terminalAtLocalTime}}").filled(with: Self.figures) == nil)
    }

    @Test("both languages of a text have the same placeholders", arguments: DiaryPool.allCases)
    func languages(pool: DiaryPool) throws {
        for text in try #require(CompanionTexts.pools[pool]) {
            #expect(DiaryTemplate(text.en).placeholders == DiaryTemplate(text.de).placeholders)
        }
    }

    @Test("each pool has a text, whatever figures are missing", arguments: DiaryPool.allCases)
    func alwaysOne(pool: DiaryPool) throws {
        let bare = DiaryFigures(hp: 100, usedMinutes: 240, limitMinutes: 240, atMinute: 0)
        for language in DiaryLanguage.allCases {
            let chosen = DiaryChoice.entry(
                DueText(day: 0, kind: .nightly), pool: pool, figures: bare, user: exampleUser, lately: [],
                language: language)
            #expect(chosen != nil)
            #expect(chosen?.text.contains("{{") == false)
        }
    }
}
