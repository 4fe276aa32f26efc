extension CompanionTexts {
    /// The cat is honest and kind. Either more than the limit was used, with any hp, or hp are below 40.
    /// So a text without `overByHours` and `underByHours` claims neither.
    static let mixed: [DiaryText] = [
        DiaryText(
            en: "Part of this day was heavy, and part of it was lunch.",
            de: "Ein Teil dieses Tages war schwer, und ein Teil war Mittagessen."),
        DiaryText(
            en: """
                {{phoneUseHours}} h, with {{goalHours}} h in mind. I write it down as one writes down \
                rain.
                """,
            de: """
                {{phoneUseHours}} h, gedacht waren {{goalHours}} h. Ich schreibe das auf, wie man Regen \
                aufschreibt.
                """),
        DiaryText(
            en: "Patchwork today. The grey squares are real. So is the red one with the tassel.",
            de: "Flickenteppich heute. Die grauen Stücke gibt es wirklich. Das rote mit der Quaste auch."),
        DiaryText(
            en: "I stand at {{currentHealthBand}}, and that is a number one can lie down with.",
            de: "Ich stehe bei {{currentHealthBand}}, und mit dieser Zahl kann man sich hinlegen."),
        DiaryText(
            en: """
                The day hung in the curtain for a while and could not get down. It happens to the best. I \
                speak from the curtain.
                """,
            de: """
                Der Tag hing eine Weile in der Gardine und kam nicht herunter. Das passiert den Besten. \
                Ich spreche aus der Gardine.
                """),
        DiaryText(
            en: "Not our smoothest coat. By morning it will lie flat.",
            de: "Nicht unser glattestes Fell. Bis morgen früh liegt es wieder."),
        DiaryText(
            en: "A day can be a little askew and still have had a decent windowsill in it.",
            de: "Ein Tag kann etwas schief sein und trotzdem eine ordentliche Fensterbank gehabt haben."),
        DiaryText(
            en: "Honestly: a bit much. Also honestly: I liked that it was with you.",
            de: "Ehrlich: etwas viel. Auch ehrlich: Schön, dass du dabei warst."),
        DiaryText(
            en: """
                I have read this day twice, once forwards and once from under the newspaper. It is better \
                from under the newspaper.
                """,
            de: """
                Zweimal habe ich diesen Tag gelesen, einmal von vorn und einmal von unter der Zeitung. Von \
                unter der Zeitung ist er besser.
                """),
        DiaryText(
            en: "Two truths from under the blanket: the day was long, and the blanket is thick.",
            de: "Zwei Wahrheiten von unter der Decke: Der Tag war lang, und die Decke ist dick."),
        DiaryText(
            en: """
                The numbers are {{phoneUseHours}} h and {{goalHours}} h. They sit on the sill, back to \
                back. By breakfast they will be talking again.
                """,
            de: """
                Die Zahlen heißen {{phoneUseHours}} h und {{goalHours}} h. Sie sitzen auf der Fensterbank, \
                Rücken an Rücken. Beim Frühstück reden sie wieder.
                """),
        DiaryText(
            en: "Three jumps, one landing. It is the landing that I am thinking of.",
            de: "Drei Sprünge, eine Landung. An die Landung denke ich."),
        DiaryText(
            en: "My coat is on back to front today. It can be stroked that way too, people say.",
            de: "Mein Fell sitzt heute verkehrt herum. Auch so kann man es streicheln, heißt es."),
        DiaryText(
            en: "Crumpled, then. Crumpled things are the warmest to sleep on.",
            de: "Zerknittert also. Auf Zerknittertem schläft es sich am wärmsten."),
        DiaryText(
            en: """
                Some of it I would keep, and some I would bat under the fridge. There is room under the \
                fridge.
                """,
            de: """
                Manches würde ich behalten, manches unter den Kühlschrank schieben. Unter dem Kühlschrank \
                ist Platz.
                """),
        DiaryText(
            en: """
                Again the moth flew into the lamp, shook itself and had a go at the ceiling. I find that \
                encouraging.
                """,
            de: """
                Wieder ist die Motte gegen die Lampe geflogen, hat sich geschüttelt und es mit der Decke \
                versucht. Mir macht das Mut.
                """),
        DiaryText(en: "So-so, says my tail.", de: "Geht so, sagt mein Schwanz."),
        DiaryText(
            en: "I do not mark days. I sit on them until they are warm.",
            de: "Ich gebe Tagen keine Noten. Ich setze mich darauf, bis sie warm sind."),
        DiaryText(
            en: "It is {{dayPart}}. The day may stop trying now, and so may we.",
            de: "Es ist {{dayPart}}. Der Tag darf jetzt aufhören, sich zu bemühen, und wir auch."),
        DiaryText(
            en: """
                Between the plan of {{goalHours}} h and the day as it was there is a crack. I am lying on \
                it, against the draught.
                """,
            de: """
                Zwischen dem Plan von {{goalHours}} h und dem Tag, wie er war, ist eine Ritze. Ich liege \
                darauf, gegen die Zugluft.
                """),
        DiaryText(
            en: """
                {{overByHours}} h over. I am not cross. I, too, have stayed in a cupboard longer than \
                planned.
                """,
            de: """
                {{overByHours}} h drüber. Ich bin nicht böse. Auch ich war schon länger im Schrank als \
                geplant.
                """),
        DiaryText(
            en: """
                This day was {{overByHours}} h too big for its box. I know that problem personally, and \
                somehow one always fits.
                """,
            de: """
                Dieser Tag war {{overByHours}} h zu groß für seinen Karton. Das Problem kenne ich \
                persönlich. Irgendwie passt man immer.
                """),
        DiaryText(
            en: """
                We said {{goalHours}} h, and it became {{phoneUseHours}} h. The {{overByHours}} h in \
                between I have discreetly buried.
                """,
            de: """
                Gesagt waren {{goalHours}} h, geworden sind es {{phoneUseHours}} h. Die {{overByHours}} h \
                dazwischen habe ich diskret verscharrt.
                """),
        DiaryText(
            en: "Our goal is {{overByHours}} h behind us. It waved. We can fetch it in the morning.",
            de: """
                Unser Ziel liegt {{overByHours}} h hinter uns. Es hat gewinkt. Wir können es morgen früh \
                abholen.
                """),
        DiaryText(
            en: "The day wanted an encore, {{overByHours}} h of it. I clapped too, to be fair.",
            de: """
                Der Tag wollte eine Zugabe, {{overByHours}} h lang. Ich habe, ehrlich gesagt, \
                mitgeklatscht.
                """),
        DiaryText(
            en: """
                Plus {{overByHours}} h, written clearly, so that it is true. Beneath it my paw print, so \
                that it is kind. 🐾
                """,
            de: """
                Plus {{overByHours}} h, deutlich geschrieben, damit es stimmt. Darunter mein \
                Pfotenabdruck, damit es freundlich bleibt. 🐾
                """),
        DiaryText(
            en: "Rivers go over their banks too, today by {{overByHours}} h. The meadow does not mind.",
            de: """
                Auch Flüsse treten über die Ufer, heute um {{overByHours}} h. Die Wiese nimmt es nicht \
                übel.
                """),
        DiaryText(
            en: """
                Time ran off with {{overByHours}} h. I run off now and then as well. One comes back, \
                usually hungry.
                """,
            de: """
                Die Zeit ist mit {{overByHours}} h davongelaufen. Ich laufe auch manchmal davon. Man kommt \
                zurück, meistens hungrig.
                """),
        DiaryText(
            en: """
                If {{goalHours}} h is a sofa, today hung over the end of it by {{overByHours}} h. I have \
                slept that way. It can be done.
                """,
            de: """
                Wenn {{goalHours}} h ein Sofa sind, dann hing der Tag um {{overByHours}} h über die Lehne. \
                So habe ich schon geschlafen. Es geht.
                """),
        DiaryText(
            en: """
                Overshot by {{overByHours}} h. I overshoot the windowsill once a week and then act as if I \
                had meant the plant.
                """,
            de: """
                Um {{overByHours}} h übers Ziel gesprungen. Ich springe einmal in der Woche über die \
                Fensterbank hinaus und tue dann, als hätte ich die Pflanze gemeint.
                """),
        DiaryText(
            en: """
                Second helpings today: {{overByHours}} h on top of {{goalHours}} h. About second helpings \
                I know more than most.
                """,
            de: """
                Heute gab es Nachschlag: {{overByHours}} h zu den {{goalHours}} h. Von Nachschlag verstehe \
                ich mehr als die meisten.
                """),
        DiaryText(
            en: """
                Within the goal, with {{underByHours}} h to spare, and still I feel like a wrung-out \
                cloth. Both are true. It was a day with layers.
                """,
            de: """
                Im Ziel, mit {{underByHours}} h Luft, und trotzdem fühle ich mich wie ein ausgewrungener \
                Lappen. Beides stimmt. Es war ein Tag mit Schichten.
                """),
        DiaryText(
            en: "The clock is pleased, {{underByHours}} h are left over. My legs were not asked.",
            de: "Die Uhr ist zufrieden, {{underByHours}} h sind übrig. Meine Beine hat niemand gefragt."),
        DiaryText(
            en: """
                Many doors, none of them open for long. In the end {{underByHours}} h under the goal, and \
                I am dizzy from turning round.
                """,
            de: """
                Viele Türen, keine lange offen. Am Ende {{underByHours}} h unter dem Ziel, und mir ist \
                schwindlig vom Umdrehen.
                """),
        DiaryText(
            en: """
                Here lie {{underByHours}} h of your goal and very little cat. I would not swap. They are \
                yours.
                """,
            de: """
                Hier liegen {{underByHours}} h von deinem Ziel und sehr wenig Katze. Tauschen würde ich \
                nicht. Sie gehören dir.
                """),
        DiaryText(
            en: """
                At {{firstUseTime}} the flap first swung, and I thought: draught. Then I thought: you. So \
                that was all right.
                """,
            de: """
                Um {{firstUseTime}} schwang die Klappe zum ersten Mal, und ich dachte: Zugluft. Dann \
                dachte ich: du. Da war es in Ordnung.
                """),
        DiaryText(
            en: "After {{lastUseTime}} it grew so calm that one could hear the fridge think.",
            de: "Nach {{lastUseTime}} wurde es so still, dass man den Kühlschrank denken hörte."),
        DiaryText(
            en: """
                Up and down since {{firstUseTime}}, like me on a new sofa. One kneads a day until it is \
                soft.
                """,
            de: """
                Auf und ab seit {{firstUseTime}}, wie ich auf einem neuen Sofa. Man knetet so einen Tag, \
                bis er weich ist.
                """),
        DiaryText(
            en: "Last time out: {{lastUseTime}}. I stayed up, chiefly with my eyes closed.",
            de: """
                Zuletzt draußen: {{lastUseTime}}. Ich bin aufgeblieben, vorwiegend mit geschlossenen \
                Augen.
                """),
        DiaryText(
            en: "Up to {{firstUseTime}} I had the day by the scruff. Then it had me. We both got home.",
            de: """
                Bis {{firstUseTime}} trug ich den Tag am Nackenfell, danach er mich. Heimgekommen sind wir \
                beide.
                """),
    ]
}
