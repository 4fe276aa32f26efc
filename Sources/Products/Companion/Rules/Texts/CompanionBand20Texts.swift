extension CompanionTexts {
    /// The cat is faint.
    static let band20: [DiaryText] = [
        DiaryText(en: "Small flame here. Still a flame.", de: "Kleine Flamme hier. Immer noch Flamme."),
        DiaryText(
            en: """
                My purr has gone down to the cellar. With an ear against me one can hear it pottering \
                about.
                """,
            de: "Mein Schnurren ist in den Keller gegangen. Mit dem Ohr an mir hört man es dort kramen."),
        DiaryText(
            en: "I have folded myself once, and then once more, as one folds a letter.",
            de: "Ich habe mich einmal gefaltet und dann noch einmal, wie man einen Brief faltet."),
        DiaryText(
            en: "Sounds arrive late and wrapped in paper.",
            de: "Geräusche kommen spät und in Papier gewickelt."),
        DiaryText(
            en: "The warm stone is doing the living for both of us.",
            de: "Der warme Stein lebt gerade für uns beide."),
        DiaryText(
            en: "Only the ears are sitting up. They were always like that.",
            de: "Nur die Ohren sitzen noch aufrecht. So waren sie immer schon."),
        DiaryText(
            en: "Like a lamp turned down: one can just make out the wallpaper.",
            de: "Wie eine Lampe, heruntergedreht: Die Tapete erkennt man gerade noch."),
        DiaryText(
            en: "Weak, and not sad. Drizzle is weak too, and it gets everywhere.",
            de: "Schwach, aber nicht traurig. Nieselregen ist auch schwach und kommt überallhin."),
        DiaryText(
            en: "I lifted my head to say something. That was it.",
            de: "Ich hob den Kopf, um etwas zu sagen. Das war es schon."),
        DiaryText(
            en: "My shadow got up and lay down again. I agreed with its second idea.",
            de: "Mein Schatten stand auf und legte sich wieder hin. Sein zweiter Gedanke leuchtet mir ein."),
        DiaryText(
            en: "Paws cold, heart lukewarm, nose still mine. I checked.",
            de: "Pfoten kalt, Herz lauwarm, Nase noch meine. Ich habe nachgesehen."),
        DiaryText(
            en: "Everything has soft edges: cupboard, {{dayPart}}, me.",
            de: "Alles hat weiche Ränder: Schrank, {{dayPart}}, ich."),
        DiaryText(
            en: "In dreams I still jump. For now I shall do it there.",
            de: "Im Traum springe ich noch. Vorerst mache ich es dort."),
        DiaryText(
            en: "Breathing in. That was nice. Breathing out.",
            de: "Einatmen. Das war schön. Ausatmen."),
        DiaryText(
            en: "This blanket weighs more than I do. It means well.",
            de: "Diese Decke wiegt mehr als ich. Sie meint es gut."),
        DiaryText(
            en: "Somebody has taken the stairs out of my legs.",
            de: "Jemand hat mir die Treppen aus den Beinen genommen."),
        DiaryText(
            en: "One word at a time now. Sill. Sun. Tin. You.",
            de: "Jetzt ein Wort nach dem anderen. Sims. Sonne. Dose. Du."),
        DiaryText(
            en: "Next door a tin was opened. I noted it and stayed where I was, which says a good deal.",
            de: """
                Nebenan ging eine Dose auf. Ich habe es vermerkt und bin liegen geblieben. Das sagt \
                einiges.
                """),
        DiaryText(
            en: "My strength has crept under the sofa. I can see its eyes.",
            de: "Meine Kraft ist unters Sofa gekrochen. Ich sehe noch ihre Augen."),
        DiaryText(
            en: "Quiet in here, like a piano with its lid down.",
            de: "Still hier drin, wie ein Klavier mit geschlossenem Deckel."),
    ]
}
