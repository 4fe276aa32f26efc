import CompanionRules

extension DiaryLanguage {
    /// The first of the languages with the greatest weight in a value of `Accept-Language`, such as `de-AT, en;q=0.5`. A region
    /// does not matter; English if no language fits.
    init(accepting field: String) {
        var best: (language: DiaryLanguage, weight: Double)?
        for range in field.split(separator: ",") {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard let tag = parts.first,
                let language = DiaryLanguage(tag: tag.prefix { $0 != "-" }),
                let weight = Self.weight(parts.dropFirst()), weight > best?.weight ?? 0
            else { continue }
            best = (language, weight)
        }
        self = best?.language ?? .english
    }

    private init?(tag: Substring) {
        if tag == "*" { self = .english } else { self.init(rawValue: String(tag)) }
    }

    /// nil for a weight that is not a number.
    private static func weight(_ parameters: some Sequence<String>) -> Double? {
        guard let text = parameters.first(where: { $0.hasPrefix("q=") }) else { return 1 }
        return Double(text.dropFirst(2))
    }
}
