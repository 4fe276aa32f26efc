import CCompanionTexts
import CompanionRules
import FeatureKit

/// All that Companion says in a language. Translators edit it in `Sources/Products/Companion/Texts`.
package struct CompanionTexts: Sendable {
    /// Rises with each change of the diary's texts, so that phones fetch them again.
    package static let version = 1

    /// The body of a push message for browsers, by its kind.
    let notifications: [String: String]
    /// The diary's texts of each pool, numbered from 0. All languages of a text have the same placeholders.
    package let diary: [DiaryPool: [DiaryTemplate]]

    /// Each file is parsed once.
    package static let all = DiaryLanguage.allCases.reduce(into: [:]) { all, language in
        all[language] = CompanionTexts(embedded(json(language)))
    }

    package static func diary(_ pool: DiaryPool, in language: DiaryLanguage) -> [DiaryTemplate] {
        all[language]?.diary[pool] ?? []
    }

    static func json(_ language: DiaryLanguage) -> UnsafePointer<CChar> {
        switch language {
        case .english: companion_texts_en()
        case .german: companion_texts_de()
        }
    }

    private struct File: Decodable {
        let notifications: [String: String]
        let diary: [String: [String]]
    }

    private init(_ file: File) {
        notifications = file.notifications
        diary = file.diary.reduce(into: [:]) { diary, pool in
            DiaryPool(rawValue: pool.key).map { diary[$0] = pool.value.map(DiaryTemplate.init) }
        }
    }
}
