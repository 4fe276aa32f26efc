import Push

/// The words of one language for push messages to browsers. A temptation has several texts of each type, counted from 0.
struct WebNotificationWords: Sendable {
    let language: String
    let test: String
    let bodies: [NotificationKind: String]
    let temptations: [String: [String]]

    func body(of message: PushMessage) -> String {
        guard let kind = message.data["kind"].flatMap(NotificationKind.init) else { return test }
        guard kind == .temptation else { return bodies[kind] ?? test }
        let texts = message.data["type"].flatMap { temptations[$0] } ?? []
        guard let number = message.data["number"].flatMap({ Int($0) }), texts.indices.contains(number) else {
            return test
        }
        return texts[number]
    }

    static let all = ["en": english, "de": german]

    static let english = WebNotificationWords(
        language: "en", test: "Notifications reach this browser.",
        bodies: [
            .photo: "The first photo of the day is here.",
            .invitation: "You’ve been invited to a group.",
            .results: "Last week’s results are here.",
            .review: "How was yesterday? Rate your day.",
            .morning: "How would you like tomorrow to begin? Plan some time without your phone.",
            .partnerPrompt: "It’s easier together. Ask somebody to be your partner.",
            .partnerBreak: "Somebody you are partners with has broken a streak.",
            .partnerRequest: "Somebody has asked you to be their partner.",
            .companionNightly: "Your cat would like to tell you about the day.",
            .companionPetSick: "Your pet is not feeling well.",
            .companionPetDying: "Your pet needs a meal today.",
            .companionPetDead: "Your pet has died.",
            .signedOut: "You’ve been signed out in this browser.",
        ],
        temptations: [
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
        ])

    static let german = WebNotificationWords(
        language: "de", test: "Mitteilungen erreichen diesen Browser.",
        bodies: [
            .photo: "Das erste Foto des Tages ist da.",
            .invitation: "Du bist in eine Gruppe eingeladen.",
            .results: "Die Ergebnisse der letzten Woche sind da.",
            .review: "Wie war gestern? Bewerte deinen Tag.",
            .morning: "Wie soll der Morgen beginnen? Plane eine Zeit ohne Telefon.",
            .partnerPrompt: "Gemeinsam geht es leichter. Frag jemanden, ob ihr Partner sein wollt.",
            .partnerBreak: "Jemand, dessen Partner du bist, hat eine Serie unterbrochen.",
            .partnerRequest: "Jemand möchte dich als Partner.",
            .companionNightly: "Deine Katze möchte dir vom Tag erzählen.",
            .companionPetSick: "Deinem Tier geht es nicht gut.",
            .companionPetDying: "Dein Tier braucht heute etwas zu fressen.",
            .companionPetDead: "Dein Tier ist gestorben.",
            .signedOut: "Du bist in diesem Browser abgemeldet.",
        ],
        temptations: [
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
        ])
}
