import CompanionRules
import DaylyTesting
import Foundation
import Notifications
import Testing

@testable import Companion

@Suite("the texts of the diary")
struct CompanionTextsTests {
    /// Guard: a file of texts has each key that the service knows, and no other (`CompanionTexts`)
    @Test(
        "the file of a language has every notification and every pool, and no other key",
        arguments: DiaryLanguage.allCases)
    func keys(language: DiaryLanguage) throws {
        let json = Data(String(cString: CompanionTexts.json(language)).utf8)
        let file = try #require(try JSONSerialization.jsonObject(with: json) as? [String: [String: Any]])
        #expect(file.keys.sorted() == ["diary", "notifications"])
        #expect(file["diary"]?.keys.sorted() == DiaryPool.allCases.map(\.rawValue).sorted())
        let kinds: [NotificationKind] = [
            .companionNightly, .companionPetSick, .companionPetDying, .companionPetDead,
        ]
        #expect(file["notifications"]?.keys.sorted() == kinds.map(\.rawValue).sorted())
    }

    @Test("every text keeps the rules of its pool in both languages", arguments: DiaryPool.allCases)
    func rules(pool: DiaryPool) throws {
        for language in DiaryLanguage.allCases {
            for template in try texts(of: pool, in: language) {
                #expect(TextRules.complaints(about: template, in: language, pool: pool) == [], "\(template)")
            }
        }
    }

    @Test("the rules find what they forbid", arguments: unruly)
    func rulesAreStrict(example: Unruly) {
        let found = TextRules.complaints(about: example.text, in: example.language, pool: example.pool)
        #expect(found == [example.complaint])
    }

    @Test("a pool has 20 texts, or 40 if it is of terminal, good and mixed", arguments: DiaryPool.allCases)
    func counts(pool: DiaryPool) throws {
        for language in DiaryLanguage.allCases {
            #expect(try texts(of: pool, in: language).count == (TextRules.isInward(pool) ? 20 : 40))
        }
    }

    @Test("both languages of a text have the same placeholders", arguments: DiaryPool.allCases)
    func sameNeeds(pool: DiaryPool) throws {
        for (en, de) in zip(try texts(of: pool, in: .english), try texts(of: pool, in: .german)) {
            #expect(Set(TextRules.braces(of: en)) == Set(TextRules.braces(of: de)), "\(en)")
        }
    }

    @Test("at least 10 texts of each pool need none of the figures that may be missing")
    func alwaysEligible() throws {
        let missable: Set = ["firstUseTime", "lastUseTime", "overByHours", "underByHours"]
        for pool in DiaryPool.allCases {
            let free = try texts(of: pool, in: .english).filter {
                missable.isDisjoint(with: TextRules.braces(of: $0))
            }
            #expect(free.count >= 10, "\(pool)")
        }
    }

    @Test("no text stands twice", arguments: DiaryLanguage.allCases)
    func unique(language: DiaryLanguage) {
        let all = Self.all(in: language)
        #expect(all.count == 280)
        #expect(Set(all).count == 280)
    }

    @Test("no two texts of a pool have the same first three words", arguments: DiaryPool.allCases)
    func beginnings(pool: DiaryPool) throws {
        for language in DiaryLanguage.allCases {
            let beginnings = try texts(of: pool, in: language).map { TextRules.words(of: $0).prefix(3) }
            for (index, beginning) in beginnings.enumerated() {
                #expect(!beginnings[..<index].contains(beginning), "\(beginning)")
            }
        }
    }

    @Test("at most every fifth text has an emoji", arguments: DiaryLanguage.allCases)
    func fewEmoji(language: DiaryLanguage) {
        let texts = Self.all(in: language)
        let withEmoji = texts.filter { $0.unicodeScalars.contains { $0.properties.isEmojiPresentation } }
        #expect(withEmoji.count * 5 <= texts.count)
    }

    @Test("each pool has a text, whatever figures are missing", arguments: DiaryPool.allCases)
    func alwaysOne(pool: DiaryPool) throws {
        let bare = DiaryFigures(hp: 100, usedMinutes: 240, limitMinutes: 240, atMinute: 0)
        for language in DiaryLanguage.allCases {
            let chosen = DiaryChoice.entry(
                from: CompanionTexts.diary(pool, in: language), figures: bare,
                draw: DiaryChoice.draw(user: "ada", day: 0, kind: .nightly), lately: [], language: language)
            #expect(chosen != nil)
            #expect(chosen?.text.contains("{{") == false)
        }
    }

    @Test("every text of terminal and good can be filled", arguments: DiaryLanguage.allCases)
    func filled(language: DiaryLanguage) throws {
        let terminal = DiaryFigures(
            hp: 0, usedMinutes: 330, limitMinutes: 240, atMinute: 1_050, firstUseMinute: 480,
            lastUseMinute: 1_050, isTerminal: true)
        let good = DiaryFigures(
            hp: 95, usedMinutes: 30, limitMinutes: 240, atMinute: 1_260, firstUseMinute: 480,
            lastUseMinute: 480)
        for (pool, figures) in [(DiaryPool.terminal, terminal), (.good, good)] {
            for template in CompanionTexts.diary(pool, in: language) {
                guard !(pool == .terminal && template.placeholders.contains(.underByHours)) else { continue }
                let filled = try #require(template.filled(with: figures, in: language), "\(template.text)")
                #expect(!filled.contains("{{"))
            }
        }
    }

    private func texts(of pool: DiaryPool, in language: DiaryLanguage) throws -> [String] {
        try #require(CompanionTexts.all[language]?.diary[pool]).map(\.text)
    }

    private static func all(in language: DiaryLanguage) -> [String] {
        CompanionTexts.all[language]?.diary.values.joined().map(\.text) ?? []
    }

    struct Unruly: Sendable {
        let text: String
        let language: DiaryLanguage
        let pool: DiaryPool
        let complaint: String
    }

    static let unruly: [Unruly] = [
        Unruly(
            text: String(repeating: "m", count: 281), language: .english, pool: .good, complaint: "too long"),
        Unruly(text: "My FAULT.", language: .english, pool: .good, complaint: "fault"),
        Unruly(text: "Well, you should nap.", language: .english, pool: .mixed, complaint: "you should"),
        Unruly(text: "Das ist meine Schuld.", language: .german, pool: .good, complaint: "schuld"),
        Unruly(text: "An hour of sun.", language: .english, pool: .plain, complaint: "hour"),
        Unruly(text: "Eine Stunde Sonne.", language: .german, pool: .band0, complaint: "stunde"),
        Unruly(text: "Good night.", language: .english, pool: .terminal, complaint: "without a we"),
        Unruly(text: "Gute Nacht.", language: .german, pool: .terminal, complaint: "without a we"),
        Unruly(text: "It is {{goalHours}}.", language: .english, pool: .welcome, complaint: "goalHours"),
        Unruly(text: "{{overByHours}} h.", language: .german, pool: .good, complaint: "overByHours"),
        Unruly(
            text: "{{terminalAtLocalTime}}.", language: .english, pool: .mixed,
            complaint: "terminalAtLocalTime"),
        Unruly(text: "{{daypart}}.", language: .english, pool: .good, complaint: "daypart"),
        Unruly(text: "{{goalHours}} hours.", language: .english, pool: .good, complaint: "hours in words"),
    ]
}
