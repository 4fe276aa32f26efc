extension CompanionTexts {
    /// The cat is contented: used ≤ limit and hp ≥ 40. A day without a bypass may be good too.
    static let good: [DiaryText] = [
        DiaryText(
            en: "We fitted into this day with room at the sides, as I do in the laundry basket.",
            de: "Wir haben in diesen Tag gepasst, mit Platz an den Seiten, wie ich im Wäschekorb."),
        DiaryText(
            en: """
                {{phoneUseHours}} h of {{goalHours}} h. I have sniffed at the numbers, and they smell of \
                sun on wood.
                """,
            de: """
                {{phoneUseHours}} h von {{goalHours}} h. Ich habe an den Zahlen geschnuppert, sie riechen \
                nach Sonne auf Holz.
                """),
        DiaryText(
            en: "I come to {{currentHealthBand}} points, and every one of them is purring.",
            de: "Ich komme auf {{currentHealthBand}} Punkte, und jeder einzelne schnurrt."),
        DiaryText(en: "Well, that was rather nice.", de: "Na, das war doch schön."),
        DiaryText(
            en: "The day and I are parting as friends.",
            de: "Der Tag und ich gehen als Freunde auseinander."),
        DiaryText(
            en: """
                Warm sill, sorted paws, and the goal of {{goalHours}} h is still upright. I have leaned \
                against it to make sure.
                """,
            de: """
                Fensterbank warm, Pfoten sortiert, und das Ziel von {{goalHours}} h steht noch. Ich habe \
                mich probeweise dagegengelehnt.
                """),
        DiaryText(
            en: "A good day, said the moth, and for once it was right.",
            de: "Ein guter Tag, sagte die Motte, und ausnahmsweise hatte sie recht."),
        DiaryText(
            en: """
                I am lying here like a comma between today and tomorrow, in no hurry to become a full \
                stop.
                """,
            de: """
                Ich liege hier wie ein Komma zwischen heute und morgen und habe es nicht eilig, ein Punkt \
                zu werden.
                """),
        DiaryText(
            en: """
                Your plan said {{goalHours}} h, and your plan held. I have jumped onto shelves that were \
                less well built.
                """,
            de: """
                Dein Plan sagte {{goalHours}} h, und dein Plan hat gehalten. Ich bin schon auf schlechter \
                gebaute Regale gesprungen.
                """),
        DiaryText(
            en: "Belly full of day. It will be digested on the radiator.",
            de: "Den Bauch voll Tag. Verdaut wird auf der Heizung."),
        DiaryText(
            en: """
                Our figures: {{phoneUseHours}} h by you, {{currentHealthBand}} points by me, one feather \
                by a person or persons unknown.
                """,
            de: """
                Unsere Zahlen: {{phoneUseHours}} h von dir, {{currentHealthBand}} Punkte von mir, eine \
                Feder von wer weiß wem.
                """),
        DiaryText(
            en: "If contentment made a sound, it would be toast landing butter side up.",
            de: "Hätte Zufriedenheit einen Klang, dann den von Toast, der auf die richtige Seite fällt."),
        DiaryText(
            en: "I stretched to one and a half cats, and there was space for it.",
            de: "Auf anderthalb Katzen habe ich mich ausgestreckt, und es war Platz dafür."),
        DiaryText(
            en: "This day had gaps in all the right places. Light came in.",
            de: "Dieser Tag hatte Ritzen an den richtigen Stellen. Da kam Licht herein."),
        DiaryText(
            en: """
                One more good one for the box under the bed. I do not count them. I like the way they \
                rustle.
                """,
            de: "Noch ein guter für den Karton unterm Bett. Ich zähle sie nicht. Ich mag, wie sie rascheln."),
        DiaryText(
            en: "{{currentHealthBand}}, says the kettle in me, and goes on humming.",
            de: "{{currentHealthBand}}, sagt der Kessel in mir und summt weiter."),
        DiaryText(
            en: "Not every day needs a conclusion. This one needs a cushion, and it has one.",
            de: "Nicht jeder Tag braucht ein Fazit. Dieser braucht ein Kissen, und er hat eins."),
        DiaryText(
            en: """
                Evening inspection. Cat: present. Goal: intact. Biscuit: missing. I know nothing about the \
                biscuit.
                """,
            de: "Abendkontrolle. Katze: anwesend. Ziel: heil. Keks: fehlt. Über den Keks weiß ich nichts."),
        DiaryText(
            en: "“Well done” sounds like a school report. I would rather just lean on you.",
            de: "„Gut gemacht“ klingt nach Zeugnis. Ich lehne mich lieber einfach an dich."),
        DiaryText(
            en: "Nothing stands in the margin today. I slept there.",
            de: "Am Rand steht heute nichts. Dort habe ich geschlafen."),
        DiaryText(
            en: "As days go, this one had good fur.",
            de: "Für einen Tag hatte dieser ein sehr gutes Fell."),
        DiaryText(
            en: "It is {{dayPart}}, and I have closed three of my two eyes, to be thorough.",
            de: "Es ist {{dayPart}}, und ich habe vorsichtshalber drei von zwei Augen zugemacht."),
        DiaryText(
            en: "{{underByHours}} h left over. I have tucked them under my paws, where it is warm.",
            de: "{{underByHours}} h sind übrig. Ich habe sie unter die Pfoten gesteckt, da ist es warm."),
        DiaryText(
            en: """
                You set out with {{goalHours}} h and brought {{underByHours}} h home. I seldom bring \
                anything home in one piece, so I am impressed.
                """,
            de: """
                Du bist mit {{goalHours}} h losgezogen und hast {{underByHours}} h heimgebracht. Ich \
                bringe selten etwas heil nach Hause, ich bin beeindruckt.
                """),
        DiaryText(
            en: """
                There are {{underByHours}} h in the saucer that nobody has drunk. Cream, by the look of \
                it.
                """,
            de: """
                Im Schälchen stehen noch {{underByHours}} h, die niemand getrunken hat. Sahne, dem \
                Aussehen nach.
                """),
        DiaryText(
            en: """
                Between {{phoneUseHours}} h and {{goalHours}} h there is a gap of {{underByHours}} h. It \
                is exactly cat-sized.
                """,
            de: """
                Zwischen {{phoneUseHours}} h und {{goalHours}} h ist eine Lücke von {{underByHours}} h. \
                Sie hat genau Katzengröße.
                """),
        DiaryText(
            en: """
                Measured by tail, the day stayed {{underByHours}} h under the goal. I measured again, for \
                the pleasure of it.
                """,
            de: """
                Nach Schwanzlängen gemessen blieb der Tag {{underByHours}} h unter dem Ziel. Ich habe \
                nachgemessen, rein zum Vergnügen.
                """),
        DiaryText(
            en: """
                Where does time go when nobody spends it? Today it was {{underByHours}} h. I suspect the \
                windowsill.
                """,
            de: """
                Wohin geht Zeit, die niemand ausgibt? Heute waren es {{underByHours}} h. Ich verdächtige \
                die Fensterbank.
                """),
        DiaryText(
            en: """
                Under the goal by {{underByHours}} h, up at {{currentHealthBand}} points, dry in the \
                basket. What more could one put in a day?
                """,
            de: """
                Unter dem Ziel um {{underByHours}} h, im Fell noch {{currentHealthBand}} Punkte, im Korb \
                trocken. Was soll ein Tag sonst noch enthalten?
                """),
        DiaryText(
            en: "A spare {{underByHours}} h. One could fit a nap in there, or a whole moth.",
            de: "Frei: {{underByHours}} h. Da passt ein Nickerchen hinein oder eine ganze Motte."),
        DiaryText(
            en: """
                The goal has {{underByHours}} h of stretch left in it. I know that feeling. It is the best \
                part of waking up.
                """,
            de: """
                Das Ziel hat noch {{underByHours}} h Platz zum Strecken. Das Gefühl kenne ich, es ist das \
                Beste am Aufwachen.
                """),
        DiaryText(
            en: """
                Somewhere {{underByHours}} h went by with nobody looking. I like to think that they rolled \
                in the grass.
                """,
            de: """
                Irgendwo sind {{underByHours}} h vergangen, und keiner hat hingesehen. Ich stelle mir vor, \
                sie haben sich im Gras gewälzt.
                """),
        DiaryText(
            en: """
                The flap kept still until {{firstUseTime}}. I slept through all of it, which is what \
                stillness is for.
                """,
            de: """
                Die Klappe hielt bis {{firstUseTime}} still. Ich habe das alles verschlafen, dafür ist \
                Stille da.
                """),
        DiaryText(
            en: """
                First opening at {{firstUseTime}}, it says here. Before that, birds. After that, some of \
                both.
                """,
            de: "Erste Öffnung um {{firstUseTime}}, steht hier. Davor Vögel. Danach von beidem etwas."),
        DiaryText(
            en: """
                By {{lastUseTime}} you had seen what there was. So had I, though in my case it was the \
                tap.
                """,
            de: """
                Gegen {{lastUseTime}} hattest du gesehen, was es gab. Ich auch, in meinem Fall war es der \
                Wasserhahn.
                """),
        DiaryText(
            en: """
                Last click of the flap: {{lastUseTime}}. I turned round three times and lay down on the \
                echo.
                """,
            de: """
                Letztes Klicken der Klappe: {{lastUseTime}}. Ich habe mich dreimal gedreht und auf das \
                Echo gelegt.
                """),
        DiaryText(
            en: """
                Until {{firstUseTime}} the day was all ours. The rest was not bad either, \
                {{phoneUseHours}} h of {{goalHours}} h.
                """,
            de: """
                Bis {{firstUseTime}} gehörte der Tag ganz uns. Der Rest war auch nicht übel, \
                {{phoneUseHours}} h von {{goalHours}} h.
                """),
        DiaryText(
            en: """
                I have noted {{lastUseTime}} as the last outing, then a pigeon, then nothing whatever, \
                beautifully done.
                """,
            de: """
                Als letzten Ausflug habe ich {{lastUseTime}} notiert, danach eine Taube, danach gar \
                nichts, sehr schön ausgeführt.
                """),
        DiaryText(
            en: "Since {{lastUseTime}} the house has been humming. It may also be me.",
            de: "Seit {{lastUseTime}} summt das Haus. Vielleicht bin das auch ich."),
        DiaryText(
            en: """
                Out for a look at {{firstUseTime}}, and always back again. As a cat I know good manners \
                when I see them.
                """,
            de: """
                Um {{firstUseTime}} kurz hinaus, und immer wiedergekommen. Als Katze erkenne ich gute \
                Manieren.
                """),
    ]
}
