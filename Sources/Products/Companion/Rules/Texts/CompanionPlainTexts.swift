extension CompanionTexts {
    /// Nothing is known about the day, and the cat has 100 hp.
    static let plain: [DiaryText] = [
        DiaryText(
            en: "Nothing to report, and I report it with pleasure.",
            de: "Nichts zu berichten, und das berichte ich gern."),
        DiaryText(
            en: "Today I watched the light cross the rug, from one end to the other. I clapped inwardly.",
            de: """
                Heute habe ich dem Licht zugesehen, wie es über den Teppich ging, von einem Ende zum \
                anderen. Innerlich habe ich geklatscht.
                """),
        DiaryText(
            en: "A day like a saucer: flat, round, and there was enough in it.",
            de: "Ein Tag wie eine Untertasse: flach, rund, und es war genug drin."),
        DiaryText(
            en: "Slept. Turned over. Slept on the other side, which had been looking forward to it.",
            de: """
                Geschlafen. Umgedreht. Auf der anderen Seite geschlafen, die sich schon darauf gefreut \
                hatte.
                """),
        DiaryText(
            en: "The pigeon opposite looked in. I looked back. That concludes the meeting.",
            de: """
                Die Taube von gegenüber schaute herüber. Ich schaute zurück. Damit war die Sitzung \
                geschlossen.
                """),
        DiaryText(
            en: "A cloud came by that looked like me. I did not let on.",
            de: "Eine Wolke kam vorbei, die aussah wie ich. Ich habe mir nichts anmerken lassen."),
        DiaryText(
            en: "Inside me it is tidy: one chair, one view.",
            de: "In mir ist es aufgeräumt: ein Stuhl, eine Aussicht."),
        DiaryText(
            en: "No adventures. One crumb, thoroughly investigated.",
            de: "Keine Abenteuer. Ein Krümel, gründlich untersucht."),
        DiaryText(
            en: "I am going to bed with all my whiskers.",
            de: "Ich gehe mit allen Schnurrhaaren zu Bett."),
        DiaryText(
            en: "Quiet days taste of milk and dust. I like both.",
            de: "Stille Tage schmecken nach Milch und Staub. Ich mag beides."),
        DiaryText(
            en: "If this day were a box, it would be exactly my size.",
            de: "Wäre dieser Tag ein Karton, hätte er genau meine Größe."),
        DiaryText(
            en: "Ordinary days deserve a line as well. This is the line.",
            de: "Auch gewöhnliche Tage haben eine Zeile verdient. Das ist sie."),
        DiaryText(
            en: """
                The spider and I shared the bathroom for a while, and neither of us said a word. Good \
                talk.
                """,
            de: """
                Die Spinne und ich waren eine Weile im Bad, und keine von uns sagte ein Wort. Gutes \
                Gespräch.
                """),
        DiaryText(
            en: "Full of sleep, with room for dessert.",
            de: "Voll Schlaf, und für Nachtisch ist noch Platz."),
        DiaryText(
            en: "Even the moth has sat down. It is {{dayPart}}, and nobody wants anything from anybody.",
            de: """
                Sogar die Motte hat sich gesetzt. Es ist {{dayPart}}, und niemand will etwas von \
                irgendwem.
                """),
        DiaryText(
            en: "I gave the piece of string some thought. It may stay.",
            de: "Über die Schnur habe ich länger nachgedacht. Sie darf bleiben."),
        DiaryText(
            en: "How much floor there is, when one takes one's time.",
            de: "Wie viel Boden es doch gibt, wenn man sich Zeit nimmt."),
        DiaryText(
            en: "Warm paws, cool nose, level tail. Everything is where I left it.",
            de: "Pfoten warm, Nase kühl, Schwanz waagerecht. Alles liegt da, wo ich es gelassen habe."),
        DiaryText(
            en: "For the record: caught nothing, regret nothing.",
            de: "Fürs Protokoll: nichts gefangen, nichts bereut."),
        DiaryText(
            en: "The day went by on tiptoe. I know quality when I hear it.",
            de: "Auf Zehenspitzen ging der Tag vorbei. Ich erkenne Könner, wenn ich sie höre."),
    ]
}
