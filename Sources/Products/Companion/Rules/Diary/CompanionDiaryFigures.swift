/// The figures that the placeholders of a text stand for, at the moment at which the text is written.
///
/// Minutes of clocks are whole minutes since 00:00 in the zone in which the text is written. PostgreSQL computes them.
package struct DiaryFigures: Hashable, Sendable {
    package let hp: Int
    package let usedMinutes: Int
    package let limitMinutes: Int
    /// The clock at `at` of the text.
    package let atMinute: Int
    /// The clock at `first_use_at` and `last_use_at`; nil without an accepted bypass.
    package let firstUseMinute: Int?
    package let lastUseMinute: Int?
    /// The text is a `terminal`, so that `at` is the time of the bypass that brought hp to 0.
    package let isTerminal: Bool

    package init(
        hp: Int, usedMinutes: Int, limitMinutes: Int, atMinute: Int, firstUseMinute: Int? = nil,
        lastUseMinute: Int? = nil, isTerminal: Bool = false
    ) {
        self.hp = hp
        self.usedMinutes = usedMinutes
        self.limitMinutes = limitMinutes
        self.atMinute = atMinute
        self.firstUseMinute = firstUseMinute
        self.lastUseMinute = lastUseMinute
        self.isTerminal = isTerminal
    }

    package init(
        _ day: DayFigures, kind: DiaryKind, atMinute: Int, firstUseMinute: Int?, lastUseMinute: Int?
    ) {
        self.init(
            hp: day.hp, usedMinutes: day.usedMinutes, limitMinutes: day.limitMinutes, atMinute: atMinute,
            firstUseMinute: firstUseMinute, lastUseMinute: lastUseMinute, isTerminal: kind == .terminal)
    }

    /// The text for a placeholder; nil where the figure is missing, which is so in all languages or in none.
    package func text(of placeholder: DiaryPlaceholder, in language: DiaryLanguage = .english) -> String? {
        switch placeholder {
        case .firstUseTime: firstUseMinute.map { clockText(minute: $0, in: language) }
        case .lastUseTime: lastUseMinute.map { clockText(minute: $0, in: language) }
        case .terminalAtLocalTime: isTerminal ? clockText(minute: atMinute, in: language) : nil
        case .phoneUseHours: hoursText(minutes: usedMinutes, in: language)
        case .goalHours: hoursText(minutes: limitMinutes, in: language)
        case .overByHours: Self.difference(usedMinutes - limitMinutes, in: language)
        case .underByHours: Self.difference(limitMinutes - usedMinutes, in: language)
        case .currentHealthBand: String(hp)
        case .dayPart: DayPart(minute: atMinute).word(in: language)
        }
    }

    private static func difference(_ minutes: Int, in language: DiaryLanguage) -> String? {
        let text = hoursText(minutes: max(0, minutes), in: language)
        return text == "0" ? nil : text
    }
}

/// The figures of a text. The raw values stand in the templates between two pairs of braces.
package enum DiaryPlaceholder: String, CaseIterable, Sendable {
    case firstUseTime, lastUseTime, terminalAtLocalTime, phoneUseHours, goalHours, overByHours, underByHours
    case currentHealthBand, dayPart
}
