import CFocusTexts
import FeatureKit
import FocusRules

/// All that Focus says in a language. Translators edit it in `Sources/Products/Focus/Texts`.
package struct FocusTexts: Decodable, Sendable {
    /// The body of a push message for browsers, by its kind.
    let notifications: [String: String]
    /// The temptations of each type, numbered from 0.
    let temptations: [String: [String]]

    /// Each file is parsed once.
    static let all: [String: FocusTexts] = [
        "en": embedded(focus_texts_en()), "de": embedded(focus_texts_de()),
    ]

    /// The texts of each threshold in minutes. Quips are English.
    private static let quips: [String: [String]] = embedded(focus_quips_en())

    /// A quip; nil if the minutes are not one of ``FocusRules/Quips/thresholds``.
    package static func quip(minutes: Int, number: Int) -> String? {
        guard let texts = quips["\(minutes)"], texts.indices.contains(number) else { return nil }
        return texts[number]
    }
}
