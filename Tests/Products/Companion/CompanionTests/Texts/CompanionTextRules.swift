import CompanionRules

/// The rules that each text of the diary keeps, as complaints about a single text.
enum TextRules {
    static let maxScalars = 280

    /// The pools whose texts describe the inside of the cat only.
    static func isInward(_ pool: DiaryPool) -> Bool { ![.terminal, .good, .mixed].contains(pool) }

    static func complaints(
        about text: String, in language: DiaryLanguage, pool: DiaryPool
    ) -> [String] {
        var complaints: [String] = []
        if text.unicodeScalars.count > maxScalars { complaints.append("too long") }
        complaints += found(TextWords.unkind(language), in: text)
        if isInward(pool) { complaints += found(TextWords.outward(language), in: text) }
        if pool == .terminal && found(TextWords.together(language), in: text).isEmpty {
            complaints.append("without a we")
        }
        let allowed = placeholders(allowedIn: pool)
        complaints += braces(of: text).filter { !allowed.contains($0) }
        // A figure may be 1, and "1 hours" is wrong.
        if text.contains("}} hour") || text.contains("}} Stunde") { complaints.append("hours in words") }
        return complaints
    }

    /// The words between two pairs of braces, known or not.
    static func braces(of text: String) -> [String] {
        text.matches(of: /\{\{(.*?)\}\}/).map { String($0.1) }
    }

    static func placeholders(allowedIn pool: DiaryPool) -> Set<String> {
        if isInward(pool) { return ["dayPart"] }
        var allowed: Set = [
            "firstUseTime", "lastUseTime", "phoneUseHours", "goalHours", "overByHours", "underByHours",
            "currentHealthBand", "dayPart",
        ]
        if pool == .terminal { allowed.insert("terminalAtLocalTime") }
        // A day over its limit is not good.
        if pool == .good { allowed.remove("overByHours") }
        return allowed
    }

    /// The words and phrases that stand in the text as whole words, in any case.
    static func found(_ phrases: [String], in text: String) -> [String] {
        let sentence = " \(words(of: text).joined(separator: " ")) "
        return phrases.filter { sentence.contains(" \($0) ") }
    }

    /// The words in lower case. An apostrophe belongs to its word.
    static func words(of text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" }.map(String.init)
    }
}
