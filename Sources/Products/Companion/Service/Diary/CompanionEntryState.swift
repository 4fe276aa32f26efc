import CompanionRules
import Foundation

/// A text of the diary, as its row keeps it.
struct CompanionEntryState: Sendable {
    let id: UUID
    let day: DayNumber
    let at: Instant
    let kind: DiaryKind
    let pool: String
    let hp: Int
    let number: Int
    let text: DiaryText
}

/// A text of the diary that is to be written.
struct CompanionNewEntry: Sendable {
    let day: DayNumber
    let at: Instant
    let kind: DiaryKind
    let pool: DiaryPool
    let hp: Int
    let number: Int
    /// In all languages: readers choose one, and a later change of the texts changes no entry.
    let text: DiaryText
}

/// A text of the diary in each language.
struct DiaryText: Sendable {
    let en: String
    let de: String

    func text(in language: DiaryLanguage) -> String {
        switch language {
        case .english: en
        case .german: de
        }
    }
}
