import Notifications

extension NotificationKind {
    /// Tries to end a streak.
    static let temptation = NotificationKind(rawValue: "temptation")
    /// The results of a week.
    static let results = NotificationKind(rawValue: "results")
    /// Asks for a judgement of the day before.
    static let review = NotificationKind(rawValue: "review")
    /// Asks how the next morning is to begin.
    static let morning = NotificationKind(rawValue: "morning")
    /// Proposes to find a partner.
    static let partnerPrompt = NotificationKind(rawValue: "partner_prompt")
    /// A partner broke a streak.
    static let partnerBreak = NotificationKind(rawValue: "partner_break")
    /// Somebody asks the user to become their partner.
    static let partnerRequest = NotificationKind(rawValue: "partner_request")
}

extension FocusFeature {
    package static let webNotifications: [NotificationKind: WebNotification] = [
        .temptation: notification(temptation(of: english), temptation(of: german)),
        .results: notification("Last week’s results are here.", "Die Ergebnisse der letzten Woche sind da."),
        .review: notification("How was yesterday? Rate your day.", "Wie war gestern? Bewerte deinen Tag."),
        .morning: notification(
            "How would you like tomorrow to begin? Plan some time without your phone.",
            "Wie soll der Morgen beginnen? Plane eine Zeit ohne Telefon."),
        .partnerPrompt: notification(
            "It’s easier together. Ask somebody to be your partner.",
            "Gemeinsam geht es leichter. Frag jemanden, ob ihr Partner sein wollt."),
        .partnerBreak: notification(
            "Somebody you are partners with has broken a streak.",
            "Jemand, dessen Partner du bist, hat eine Serie unterbrochen."),
        .partnerRequest: notification(
            "Somebody has asked you to be their partner.", "Jemand möchte dich als Partner."),
    ]

    private static func notification(
        _ english: WebNotification.Words, _ german: WebNotification.Words
    ) -> WebNotification {
        WebNotification(page: "/focus", ["en": english, "de": german])
    }

    /// - Parameter texts: those of each type, counted from 0.
    private static func temptation(of texts: [String: [String]]) -> WebNotification.Words {
        WebNotification.Words { data in
            guard let known = data["type"].flatMap({ texts[$0] }),
                let number = data["number"].flatMap({ Int($0) }), known.indices.contains(number)
            else { return nil }
            return known[number]
        }
    }

    private static let english = [
        "curiosity": [
            "Something may have happened. Or nothing.", "One look couldn’t hurt, could it?",
            "Do you remember what you were about to look up?",
            "It just lies there and says nothing. Suspicious.",
            "What would you look at first?",
        ],
        "social": [
            "Others have just picked up their phones.", "Some people you know couldn’t wait.",
            "Yours aren’t the only fingers that itch.",
        ],
        "fomo": [
            "The world goes on without you.", "Everybody might be talking about it by now.",
            "Some things are only new once.",
        ],
        "taunt": [
            "Still nothing? We didn’t expect that.", "You won’t last much longer.",
            "Nobody would blame you for stopping here.", "That was long enough, surely.",
        ],
        "fake_urgency": [
            "Quick! On second thoughts, it can wait.", "Important. Well, it sounds important.",
            "Please look at once, for no reason at all.", "Last chance until the next one.",
            "This message demands an answer. It does not need one.",
        ],
    ]

    private static let german = [
        "curiosity": [
            "Vielleicht ist etwas passiert. Vielleicht auch nicht.",
            "Ein Blick kann doch nicht schaden, oder?",
            "Weißt du noch, was du gerade nachsehen wolltest?",
            "Es liegt da und sagt nichts. Verdächtig.",
            "Was würdest du dir zuerst ansehen?",
        ],
        "social": [
            "Andere haben gerade zum Telefon gegriffen.", "Einige, die du kennst, konnten nicht warten.",
            "Nicht nur dir kribbelt es in den Fingern.",
        ],
        "fomo": [
            "Die Welt dreht sich ohne dich weiter.", "Vielleicht reden schon alle darüber.",
            "Manches ist nur einmal neu.",
        ],
        "taunt": [
            "Immer noch nicht? Das hätten wir nicht gedacht.", "Lange hältst du nicht mehr durch.",
            "Niemand würde es dir verübeln, hier aufzuhören.", "Das war doch wirklich lange genug.",
        ],
        "fake_urgency": [
            "Schnell! Obwohl, es hat doch Zeit.", "Wichtig. Na ja, es klingt wichtig.",
            "Bitte sofort ansehen, ganz ohne Grund.", "Letzte Gelegenheit bis zur nächsten.",
            "Diese Nachricht verlangt eine Antwort. Sie braucht keine.",
        ],
    ]
}
