/// The words of an invitation's page.
struct InvitationWords: Sendable {
    let title, letter, about, code, join, inApp, how, open, get, signIn, enter, note: String
    let missing, incomplete, misread, foreign, show: String

    static let english = InvitationWords(
        title: "You are invited to Dayly",
        letter: "You are invited",
        about: "One photo a day, for your people. Gone in two days.",
        code: "Your code",
        join: "Join",
        inApp: "Or in the app:",
        how: "How to join",
        open: "Open Dayly on your phone.",
        get: "Get the app.",
        signIn: "Sign in with the phone number that got this invitation.",
        enter: "Enter the code.",
        note:
            "The code works once, for that phone number only, and for a few days. We do not tell the person who invited "
            + "you that you opened this page. If you do nothing, nothing happens.",
        missing: "This is not an invitation",
        incomplete:
            "The link of an invitation ends in a code of six letters and digits. Open it again from the message, "
            + "or type the code here.",
        misread: "Codes have no 0, O, 1 or I. Look at the message again, and type the code here.",
        foreign: "Some letters here are of another alphabet. Type the code with A to Z and digits.",
        show: "Open the invitation")

    static let german = InvitationWords(
        title: "Du bist zu Dayly eingeladen",
        letter: "Du bist eingeladen",
        about: "Ein Foto am Tag, für deine Leute. Nach zwei Tagen ist es weg.",
        code: "Dein Code",
        join: "Beitreten",
        inApp: "Oder in der App:",
        how: "So trittst du bei",
        open: "Öffne Dayly auf deinem Telefon.",
        get: "Hol dir die App.",
        signIn: "Melde dich mit der Nummer an, an die diese Einladung ging.",
        enter: "Gib den Code ein.",
        note:
            "Der Code gilt einmal, nur für diese Nummer und ein paar Tage lang. Wer dich eingeladen hat, erfährt nicht, "
            + "dass du diese Seite geöffnet hast. Wenn du nichts tust, passiert nichts.",
        missing: "Das ist keine Einladung",
        incomplete:
            "Der Link einer Einladung endet mit einem Code aus sechs Buchstaben und Ziffern. Öffne ihn noch "
            + "einmal aus der Nachricht, oder gib den Code hier ein.",
        misread:
            "In Codes gibt es kein 0, O, 1 oder I. Sieh in der Nachricht nach, und gib den Code hier ein.",
        foreign:
            "Ein paar Buchstaben stammen aus einem anderen Alphabet. Gib den Code mit A bis Z und Ziffern ein.",
        show: "Einladung öffnen")
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
