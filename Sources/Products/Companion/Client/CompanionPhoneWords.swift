import DaylyClient
import Foundation

/// The words that stand for the placeholders of a text.
struct CompanionPhoneWords {
    let figures: CompanionPhoneText.Figures
    /// The `at` of the text is the time of the bypass that brought hp to 0.
    let isTerminal: Bool
    let isGerman: Bool

    private static let placeholders = [
        "firstUseTime", "lastUseTime", "terminalAtLocalTime", "phoneUseHours", "goalHours", "overByHours",
        "underByHours", "currentHealthBand", "dayPart",
    ]

    /// Nil if a figure is missing.
    func fill(_ template: String) -> String? {
        var text = template
        for name in Self.placeholders where text.contains("{{\(name)}}") {
            guard let word = word(for: name) else { return nil }
            text = text.replacing("{{\(name)}}", with: word)
        }
        return text
    }

    private func word(for placeholder: String) -> String? {
        switch placeholder {
        case "firstUseTime": figures.firstUseAt.map(clock)
        case "lastUseTime": figures.lastUseAt.map(clock)
        case "terminalAtLocalTime": isTerminal ? clock(figures.at) : nil
        case "phoneUseHours": hours(figures.usedMinutes)
        case "goalHours": hours(figures.limitMinutes)
        case "overByHours": difference(figures.usedMinutes - figures.limitMinutes)
        case "underByHours": difference(figures.limitMinutes - figures.usedMinutes)
        case "currentHealthBand": String(figures.hp)
        default: dayPart
        }
    }

    private func difference(_ minutes: Int) -> String? {
        let text = hours(max(0, minutes))
        return text == "0" ? nil : text
    }

    private func hours(_ minutes: Int) -> String {
        let tenths = (10 * minutes + 30) / 60
        guard tenths % 10 != 0 else { return "\(tenths / 10)" }
        return "\(tenths / 10)\(isGerman ? "," : ".")\(tenths % 10)"
    }

    private func clock(_ time: Date) -> String {
        let (hour, minute) = local(time)
        if isGerman { return "\(twoDigits(hour)):\(twoDigits(minute)) Uhr" }
        return "\(hour % 12 == 0 ? 12 : hour % 12):\(twoDigits(minute)) \(hour < 12 ? "AM" : "PM")"
    }

    private var dayPart: String {
        switch local(figures.at).hour {
        case 5..<12: isGerman ? "Morgen" : "morning"
        case 12..<17: isGerman ? "Nachmittag" : "afternoon"
        case 17..<21: isGerman ? "Abend" : "evening"
        default: isGerman ? "Nacht" : "night"
        }
    }

    private func local(_ time: Date) -> (hour: Int, minute: Int) {
        let parts = Calendar(companion: figures.zone).dateComponents([.hour, .minute], from: time)
        return (parts.hour ?? 0, parts.minute ?? 0)
    }

    private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
