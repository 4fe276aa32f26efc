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
}
