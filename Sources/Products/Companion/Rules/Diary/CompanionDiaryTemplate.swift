/// A text with placeholders, parsed once.
package struct DiaryTemplate: Hashable, Sendable {
    enum Part: Hashable {
        case text(String)
        case placeholder(DiaryPlaceholder)
    }

    let parts: [Part]
    /// With its placeholders.
    package let text: String

    /// Braces around an unknown word stay as they are.
    package init(_ template: String) {
        text = template
        var parts: [Part] = []
        var rest = template[...]
        while let (before, placeholder, after) = Self.firstPlaceholder(of: rest) {
            parts += before.isEmpty ? [] : [.text(String(before))]
            parts.append(.placeholder(placeholder))
            rest = after
        }
        self.parts = parts + (rest.isEmpty ? [] : [.text(String(rest))])
    }

    package var placeholders: Set<DiaryPlaceholder> {
        Set(parts.compactMap { if case .placeholder(let placeholder) = $0 { placeholder } else { nil } })
    }

    /// The text with its figures; nil if one of them is missing.
    package func filled(with figures: DiaryFigures, in language: DiaryLanguage = .english) -> String? {
        var result = ""
        for part in parts {
            switch part {
            case .text(let text): result += text
            case .placeholder(let placeholder):
                guard let text = figures.text(of: placeholder, in: language) else { return nil }
                result += text
            }
        }
        return result
    }

    private static func firstPlaceholder(
        of text: Substring
    ) -> (Substring, DiaryPlaceholder, Substring)? {
        let found = DiaryPlaceholder.allCases.compactMap { placeholder in
            text.firstRange(of: "{{\(placeholder.rawValue)}}").map { (range: $0, placeholder: placeholder) }
        }
        guard let first = found.min(by: { $0.range.lowerBound < $1.range.lowerBound }) else { return nil }
        return (text[..<first.range.lowerBound], first.placeholder, text[first.range.upperBound...])
    }
}
