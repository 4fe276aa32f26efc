import CResources
import FeatureKit

/// The words of an invitation's page, which translators edit beside this file.
struct InvitationWords: Decodable, Sendable {
    let title, letter, about, code, join, inApp, how, open, get, signIn, enter, note: String
    let missing, incomplete, misread, foreign, show: String

    static let english: InvitationWords = embedded(invitation_words_en())
    static let german: InvitationWords = embedded(invitation_words_de())
}

/// The languages of the pages.
enum PageLanguage: String, Sendable {
    case english = "en"
    case german = "de"

    /// The one with the greatest weight in `Accept-Language` (RFC 9110, 12.5.4), English if neither is named.
    init(accepting field: String) {
        var best: (language: PageLanguage, weight: Double) = (.english, 0)
        for range in field.lowercased().split(separator: ",") {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " } }
            let tag = parts.first?.prefix { $0 != "-" } ?? ""
            let weight =
                parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            guard let language = PageLanguage(rawValue: String(tag)), weight > best.weight else { continue }
            best = (language, weight)
        }
        self = best.language
    }
}
