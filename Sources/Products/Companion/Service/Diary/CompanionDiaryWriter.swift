import CompanionRules
import DeviceIntake
import FeatureKit
import Postgres

/// Chooses, fills and writes texts of the diary.
struct CompanionDiaryWriter: Sendable {

    /// - Parameters:
    ///   - time: `at` of the entry.
    ///   - day: the figures of the text's day when it is written.
    ///   - clocks: those of the zone in which the text is written.
    func write(
        _ tx: PostgresTransaction, _ kind: DiaryKind, of day: DayFigures, at time: Instant, for user: UserID,
        clocks: inout CompanionClocks
    ) throws {
        let figures = DiaryFigures(
            day, kind: kind, atMinute: try clocks.clock(tx, at: time).minute,
            firstUseMinute: try day.firstUseAt.map { try clocks.clock(tx, at: $0).minute },
            lastUseMinute: try day.lastUseAt.map { try clocks.clock(tx, at: $0).minute })
        let pool = kind.pool(of: day)
        let lately = try CompanionDiaryStore.lately(tx, pool, of: user)
        let draw = DiaryChoice.draw(user: user.companionText, day: day.day, kind: kind)
        func choice(in language: DiaryLanguage) -> DiaryChoiceResult? {
            DiaryChoice.entry(
                from: CompanionTexts.diary(pool, in: language), figures: figures, draw: draw,
                lately: lately, language: language)
        }
        // The number is the same in each language. Every pool has texts without a figure that may be missing.
        guard let english = choice(in: .english), let german = choice(in: .german) else {
            throw PostgresError.decoding("a pool of the diary has no text for a day")
        }
        try CompanionDiaryStore.insert(
            tx,
            CompanionNewEntry(
                day: day.day, at: time, kind: kind, pool: pool, hp: day.hp, number: english.number,
                text: DiaryText(en: english.text, de: german.text)),
            of: user)
    }
}

extension UserID {
    /// The user's id in draws and keys: in lower case.
    var companionText: String { resourceID.description }
}
