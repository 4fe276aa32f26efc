/// A text of the diary in each language. All languages of a text have the same placeholders.
package struct DiaryText: Hashable, Sendable {
    package let en: String
    package let de: String

    package init(en: String, de: String) {
        self.en = en
        self.de = de
    }

    package func text(in language: DiaryLanguage) -> String {
        switch language {
        case .english: en
        case .german: de
        }
    }
}

/// All texts of the diary: `GET /v1/companion/texts`.
package enum CompanionTexts {
    /// Rises with each change of the texts, so that phones fetch them again.
    package static let version = 1

    /// The texts of each pool, numbered from 0.
    package static let pools: [DiaryPool: [DiaryText]] = [
        .welcome: welcome,
        .band80: band80, .band60: band60, .band40: band40, .band20: band20, .band10: band10, .band0: band0,
        .terminal: terminal, .plain: plain, .good: good, .mixed: mixed,
    ]
}

/// The parsed texts of a pool.
struct DiaryTemplates: Sendable {
    private let english: DiaryTemplate
    private let german: DiaryTemplate

    private init(_ text: DiaryText) {
        english = DiaryTemplate(text.en)
        german = DiaryTemplate(text.de)
    }

    var placeholders: Set<DiaryPlaceholder> { english.placeholders }

    func template(in language: DiaryLanguage) -> DiaryTemplate {
        switch language {
        case .english: english
        case .german: german
        }
    }

    static func of(_ pool: DiaryPool) -> [DiaryTemplates] { parsed[pool] ?? [] }

    private static let parsed = CompanionTexts.pools.mapValues { $0.map(DiaryTemplates.init) }
}
