import CompanionRules
import Testing

@Suite("the texts of the diary")
struct CompanionTextsTests {
    @Test("every text keeps the rules of its pool in both languages", arguments: DiaryPool.allCases)
    func rules(pool: DiaryPool) throws {
        for text in try texts(of: pool) {
            for language in DiaryLanguage.allCases {
                let template = text.text(in: language)
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
        #expect(try texts(of: pool).count == (TextRules.isInward(pool) ? 20 : 40))
    }

    @Test("both languages of a text have the same placeholders", arguments: DiaryPool.allCases)
    func sameNeeds(pool: DiaryPool) throws {
        for text in try texts(of: pool) {
            #expect(Set(TextRules.braces(of: text.en)) == Set(TextRules.braces(of: text.de)), "\(text.en)")
        }
    }

    @Test("at least 10 texts of each pool need none of the figures that may be missing")
    func alwaysEligible() throws {
        let missable: Set = ["firstUseTime", "lastUseTime", "overByHours", "underByHours"]
        for pool in DiaryPool.allCases {
            let free = try texts(of: pool).filter { missable.isDisjoint(with: TextRules.braces(of: $0.en)) }
            #expect(free.count >= 10, "\(pool)")
        }
    }

    @Test("no text stands twice", arguments: DiaryLanguage.allCases)
    func unique(language: DiaryLanguage) {
        let all = CompanionTexts.pools.values.joined().map { $0.text(in: language) }
        #expect(all.count == 280)
        #expect(Set(all).count == 280)
    }

    @Test("no two texts of a pool have the same first three words", arguments: DiaryPool.allCases)
    func beginnings(pool: DiaryPool) throws {
        for language in DiaryLanguage.allCases {
            let beginnings = try texts(of: pool).map { TextRules.words(of: $0.text(in: language)).prefix(3) }
            for (index, beginning) in beginnings.enumerated() {
                #expect(!beginnings[..<index].contains(beginning), "\(beginning)")
            }
        }
    }

    @Test("at most every fifth text has an emoji", arguments: DiaryLanguage.allCases)
    func fewEmoji(language: DiaryLanguage) {
        let texts = CompanionTexts.pools.values.joined().map { $0.text(in: language) }
        let withEmoji = texts.filter { $0.unicodeScalars.contains { $0.properties.isEmojiPresentation } }
        #expect(withEmoji.count * 5 <= texts.count)
    }

    private func texts(of pool: DiaryPool) throws -> [DiaryText] { try #require(CompanionTexts.pools[pool]) }

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
