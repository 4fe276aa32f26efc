import DeviceIntake

/// The choice of a text from its pool.
package enum DiaryChoice {
    /// A text that the pool gave within this many of its last entries is left out, while others are left.
    package static let remembered = 7

    /// The number of a text in its pool.
    /// - Parameters:
    ///   - eligible: the numbers of the texts whose figures are all there, in order.
    ///   - lately: the numbers of the pool's last ``remembered`` entries in this diary.
    /// - Returns: nil if no text is eligible.
    package static func number(eligible: [Int], lately: some Sequence<Int>, draw: Draw) -> Int? {
        let lately = Set(lately)
        let fresh = eligible.filter { !lately.contains($0) }
        let candidates = fresh.isEmpty ? eligible : fresh
        return candidates.isEmpty ? nil : candidates[draw.index(of: candidates.count)]
    }

    /// The draw of a text.
    /// - Parameter user: the user's id in lower case.
    package static func draw(user: String, day: DayNumber, kind: DiaryKind) -> Draw {
        Draw(.text(user), .day(day), .text(kind.drawWord))
    }

    /// Chooses and fills a text.
    /// - Parameters:
    ///   - templates: the texts of the pool. All languages of a text have the same placeholders, so that the number does not
    ///     depend on the language.
    ///   - draw: ``draw(user:day:kind:)``.
    ///   - lately: the numbers of the pool's last ``remembered`` entries in this diary, whichever day they are of.
    package static func entry(
        from templates: [DiaryTemplate], figures: DiaryFigures, draw: Draw, lately: some Sequence<Int>,
        language: DiaryLanguage
    ) -> DiaryChoiceResult? {
        let eligible = templates.indices.filter { index in
            templates[index].placeholders.allSatisfy { figures.text(of: $0) != nil }
        }
        guard let number = number(eligible: eligible, lately: lately, draw: draw),
            let text = templates[number].filled(with: figures, in: language)
        else { return nil }
        return DiaryChoiceResult(number: number, text: text)
    }
}

/// A text that was chosen: its number in its pool, and the text with its figures.
package struct DiaryChoiceResult: Hashable, Sendable {
    package let number: Int
    package let text: String
}

/// The languages of the texts. The raw values are those of `Accept-Language` and of the account.
package enum DiaryLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"
}
