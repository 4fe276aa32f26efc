/// Minutes as hours with at most one decimal: `3.5`, `4`; in German `3,5`.
package func hoursText(minutes: Int, in language: DiaryLanguage = .english) -> String {
    let tenths = (10 * minutes + 30) / 60
    guard tenths % 10 != 0 else { return "\(tenths / 10)" }
    return "\(tenths / 10)\(language == .german ? "," : ".")\(tenths % 10)"
}

/// A clock like `9:30 AM`; in German like `09:30 Uhr`.
/// - Parameter minute: the whole minutes since 00:00.
package func clockText(minute: Int, in language: DiaryLanguage = .english) -> String {
    let hour = minute / 60
    let minutes = twoDigits(minute % 60)
    return switch language {
    case .english: "\(hour % 12 == 0 ? 12 : hour % 12):\(minutes) \(hour < 12 ? "AM" : "PM")"
    case .german: "\(twoDigits(hour)):\(minutes) Uhr"
    }
}

private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

/// The raw values are those of the English texts.
package enum DayPart: String, CaseIterable, Sendable {
    case morning, afternoon, evening, night

    /// - Parameter minute: the whole minutes of the local clock since 00:00.
    package init(minute: Int) {
        switch minute / 60 {
        case 5..<12: self = .morning
        case 12..<17: self = .afternoon
        case 17..<21: self = .evening
        default: self = .night
        }
    }

    /// The German words are nouns, and the texts put no article before them.
    package func word(in language: DiaryLanguage) -> String {
        guard language == .german else { return rawValue }
        return switch self {
        case .morning: "Morgen"
        case .afternoon: "Nachmittag"
        case .evening: "Abend"
        case .night: "Nacht"
        }
    }
}
