extension CompanionTexts {
    /// The cat is quiet and forgiving. The day has its summary already.
    static let band0: [DiaryText] = [
        DiaryText(en: "The lamp is out. No one is cross.", de: "Die Lampe ist aus. Niemand ist böse."),
        DiaryText(
            en: "I am asleep now, the deep kind. Nothing hurts, and I like you exactly as much as before.",
            de: """
                Ich schlafe jetzt, und zwar tief. Nichts tut weh, und ich hab dich genauso gern wie \
                vorher.
                """),
        DiaryText(en: "All quiet on the windowsill.", de: "Auf der Fensterbank nichts Neues."),
        DiaryText(
            en: "This day has run out of cat. That can happen to any day.",
            de: "Diesem Tag ist die Katze ausgegangen. Das kann jedem Tag passieren."),
        DiaryText(
            en: "No purr left, and never mind. It grows back overnight, like mushrooms.",
            de: "Kein Schnurren mehr da, und das macht nichts. Es wächst über Nacht nach, wie Pilze."),
        DiaryText(
            en: "I have gone to where the warm stones are. Back when it gets light.",
            de: "Ich bin bei den warmen Steinen. Wenn es hell wird, komme ich zurück."),
        DiaryText(
            en: "Zero is a round number. I am lying in it.",
            de: "Null ist eine runde Zahl. Ich liege darin."),
        DiaryText(
            en: "Empty as a box. You know how I feel about boxes.",
            de: "Leer wie ein Karton. Du weißt ja, wie ich zu Kartons stehe."),
        DiaryText(
            en: "There is nothing to forgive, in case you were wondering.",
            de: "Da ist nichts zu verzeihen, falls du dich das gefragt hast."),
        DiaryText(
            en: "The moth has the night watch. I showed it the chair.",
            de: "Die Motte hat Nachtwache. Den Stuhl habe ich ihr gezeigt."),
        DiaryText(
            en: "Still. So still that the dust is beginning to trust me.",
            de: "Still. So still, dass der Staub Vertrauen fasst."),
        DiaryText(
            en: "Here I lie like a single sock, and do not mind being found tomorrow.",
            de: "Hier liege ich wie eine einzelne Socke und lasse mich gern morgen finden."),
        DiaryText(
            en: "Some days end before they are over. This one did it gently.",
            de: "Manche Tage enden, bevor sie vorbei sind. Dieser hat es sanft gemacht."),
        DiaryText(
            en: "My ears are off duty. I can still tell when somebody is being kind.",
            de: "Meine Ohren haben Feierabend. Wenn jemand lieb ist, merke ich es trotzdem."),
        DiaryText(
            en: "Gone under the blanket, all of me. Tomorrow's ears are laid out ready.",
            de: "Ganz unter der Decke verschwunden. Die Ohren für morgen liegen bereit."),
        DiaryText(
            en: "Nothing but a small weight at your feet now. I hope it is a comfortable one.",
            de: "Nur noch ein kleines Gewicht an deinen Füßen. Hoffentlich ein angenehmes."),
        DiaryText(
            en: "Hush, says the blanket, and for once I am doing as I am told.",
            de: "Ruhe, sagt die Decke, und ausnahmsweise höre ich auf sie."),
        DiaryText(
            en: "Between you and me all is well. I am only saying it with my eyes shut.",
            de: "Zwischen dir und mir ist alles gut. Ich sage es nur mit geschlossenen Augen."),
        DiaryText(
            en: "Out like a match: a short smell of smoke, then peace.",
            de: "Aus wie ein Streichholz: kurz etwas Rauch, dann Frieden."),
        DiaryText(
            en: "Goodnight from the very bottom of the basket. 🌙",
            de: "Gute Nacht vom untersten Grund des Korbes. 🌙"),
    ]
}
