import CompanionRules

/// The words and phrases, in lower case, by which ``TextRules`` judges a text.
enum TextWords {
    /// Words of blame, order and shame. No text has them.
    static func unkind(_ language: DiaryLanguage) -> [String] {
        language == .english ? unkindEnglish : unkindGerman
    }

    /// Words about phones and their use. No text about the inside of the cat has them.
    static func outward(_ language: DiaryLanguage) -> [String] {
        language == .english ? outwardEnglish : outwardGerman
    }

    /// Each text of `terminal` has one of these.
    static func together(_ language: DiaryLanguage) -> [String] {
        language == .english ? togetherEnglish : togetherGerman
    }

    private static func words(_ list: String) -> [String] {
        list.split(separator: ",").map { String($0.drop { $0 == " " }) }
    }

    private static let unkindEnglish = words(
        """
        blame, shame, ashamed, guilt, guilty, fault, fail, failed, failure, lazy, stupid, pathetic, \
        useless, disappointed, disappointing, addict, addicted, addiction, wasted, punish, you \
        should, you must, you have to, you need to, you ought, put down, stop using
        """)
    private static let unkindGerman = words(
        """
        schuld, schuldig, schuldige, schuldgefühl, schuldgefühle, scham, schämen, schämst, schäme, \
        schäm, beschämend, peinlich, vorwurf, vorwürfe, fehler, versagt, versagen, versager, \
        gescheitert, scheitern, faul, faulheit, dumm, dämlich, blöd, doof, erbärmlich, jämmerlich, \
        nutzlos, enttäuscht, enttäuschend, enttäuschung, enttäuschen, süchtig, sucht, abhängig, \
        abhängigkeit, verschwendet, verschwendung, vergeudet, vertan, strafe, bestraft, bestrafen, \
        solltest, sollst, musst, müsstest, müssen, du hast zu, du brauchst nur, hör auf, leg weg, \
        weglegen, reiß dich
        """)

    private static let outwardEnglish = words(
        """
        phone, phones, screen, screens, app, apps, scroll, scrolled, scrolling, use, used, using, \
        usage, habit, habits, device, devices, limit, limits, bypass, shield, hour, hours, minute, \
        minutes
        """)
    private static let outwardGerman = words(
        """
        handy, handys, telefon, telefone, smartphone, smartphones, bildschirm, bildschirme, display, \
        app, apps, scrollen, scrollst, scrollt, gescrollt, wischen, nutzen, nutzt, genutzt, nutzung, \
        benutzen, benutzt, verwenden, verwendet, gebrauch, gebraucht, gewohnheit, gewohnheiten, \
        angewohnheit, gerät, geräte, geräten, limit, limits, grenze, grenzen, umgehen, umgehung, \
        umgangen, sperre, sperren, gesperrt, schild, schilde, stunde, stunden, viertelstunde, \
        minute, minuten
        """)

    private static let togetherEnglish = words(
        """
        we, us, our, together, we're, we've, we'll
        """)
    private static let togetherGerman = words(
        """
        wir, uns, unser, unsere, unserem, unseren, unserer, unseres, gemeinsam, zusammen
        """)
}
