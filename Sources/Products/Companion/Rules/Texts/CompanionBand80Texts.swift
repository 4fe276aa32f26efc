extension CompanionTexts {
    /// The cat is playful.
    static let band80: [DiaryText] = [
        DiaryText(
            en: "One of my whiskers has yawned. The others pretend not to know it.",
            de: "Eins meiner Schnurrhaare hat gegähnt. Die anderen tun, als würden sie es nicht kennen."),
        DiaryText(
            en: "Still springy, although the spring has picked up a small squeak.",
            de: "Noch federe ich. Die Feder quietscht inzwischen ein bisschen."),
        DiaryText(
            en: "I chased my tail, and it won. Closely, I thought.",
            de: "Ich habe meinen Schwanz gejagt, und er hat gewonnen. Knapp, finde ich."),
        DiaryText(
            en: "My leap onto the shelf was flawless. The landing had views of its own.",
            de: "Mein Sprung aufs Regal war tadellos. Die Landung hatte eine eigene Meinung."),
        DiaryText(
            en: "Four paws present. Back left would like to sit, and the other three are giggling.",
            de: "Vier Pfoten zur Stelle. Hinten links möchte sitzen, die anderen drei kichern."),
        DiaryText(
            en: "Bounce: slightly down. Mischief: unchanged.",
            de: "Schwung: etwas weniger. Unfug: unverändert."),
        DiaryText(
            en: "Somewhere behind my ribs a small cat has lain down on a large cushion. I envy it a little.",
            de: """
                Irgendwo hinter meinen Rippen hat sich eine kleine Katze auf ein großes Kissen gelegt. Ich \
                beneide sie ein wenig.
                """),
        DiaryText(
            en: "The moth flew two rounds, and I followed with one eye. Thrift, I call that.",
            de: "Die Motte flog zwei Runden, und ich folgte mit einem Auge. Das nenne ich Haushalten."),
        DiaryText(
            en: """
                A crumb of tiredness has turned up in my fur. I shall flick it under the cupboard, where I \
                keep the others.
                """,
            de: """
                In meinem Fell ist ein Krümel Müdigkeit aufgetaucht. Ich schnippe ihn unter den Schrank, \
                zu den anderen.
                """),
        DiaryText(
            en: "At the moment I am about four fifths of a pounce. The missing fifth was mostly wiggle.",
            de: """
                Zurzeit bin ich zu vier Fünfteln sprungbereit. Das letzte Fünftel war ohnehin nur \
                Gewackel.
                """),
        DiaryText(
            en: "My purr has changed down a gear. One sees more of the scenery.",
            de: "Mein Schnurren hat einen Gang heruntergeschaltet. Man sieht mehr von der Gegend."),
        DiaryText(
            en: "Halfway to ambushing the slipper I sat down. The slipper suspects nothing.",
            de: """
                Auf halbem Weg zum Überfall auf den Pantoffel habe ich mich hingesetzt. Er ahnt noch \
                nichts.
                """),
        DiaryText(
            en: "Both ears are up. They have started taking turns.",
            de: "Beide Ohren stehen. Sie wechseln sich neuerdings ab."),
        DiaryText(
            en: "I told the umbrella stand a joke and afterwards leaned on it for a bit.",
            de: "Ich habe dem Schirmständer einen Witz erzählt und mich danach kurz an ihn gelehnt."),
        DiaryText(
            en: "That somersault turned into a roll. Rolls are in fashion, I hear.",
            de: "Der Purzelbaum wurde eine Rolle. Rollen sollen ja gerade modern sein."),
        DiaryText(
            en: "Not tired. Only admiring the floor from close up.",
            de: "Müde? Nein. Ich bewundere nur den Boden aus der Nähe."),
        DiaryText(
            en: """
                The clockwork mouse in my chest has lost a turn or two. In circles it still runs \
                beautifully.
                """,
            de: """
                Die Aufziehmaus in meiner Brust ist ein, zwei Drehungen leichter geworden. Im Kreis fährt \
                sie immer noch sehr schön.
                """),
        DiaryText(
            en: "Hop, hop, small pause, hop. I have invented a rhythm. 🐾",
            de: "Hopp, hopp, kleine Pause, hopp. Ich habe einen Rhythmus erfunden. 🐾"),
        DiaryText(
            en: "In here somebody has switched off the big light and put on the reading lamp. Cosy.",
            de: "In mir hat jemand das große Licht aus- und die Leselampe angemacht. Gemütlich."),
        DiaryText(
            en: "A yawn got out. I caught the second one and am sitting on it.",
            de: "Ein Gähnen ist mir entwischt. Das zweite habe ich gefangen, ich sitze darauf."),
    ]
}
