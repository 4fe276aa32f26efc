extension CompanionTexts {
    /// The cat is faint, more than in `band.20`.
    static let band10: [DiaryText] = [
        DiaryText(en: "Hardly any cat left. Mainly blanket.", de: "Kaum noch Katze. Hauptsächlich Decke."),
        DiaryText(
            en: "One ear is awake and tells the rest of me about it.",
            de: "Ein Ohr ist wach und erzählt dem Rest davon."),
        DiaryText(
            en: "I am as light as the fluff under the bed, and about as quick.",
            de: "Ich bin so leicht wie die Flusen unterm Bett und ungefähr so schnell."),
        DiaryText(
            en: "Shh. I am being a very slow clock.",
            de: "Pst. Ich bin gerade eine sehr langsame Uhr."),
        DiaryText(
            en: "One letter is left of the purr: r.",
            de: "Vom Schnurren ist ein Buchstabe übrig: r."),
        DiaryText(
            en: "The moth stays by the lamp, I stay by the moth. Nobody is in a hurry.",
            de: "Die Motte bleibt bei der Lampe, ich bleibe bei der Motte. Niemand hat es eilig."),
        DiaryText(
            en: "When I shut both eyes, the day goes on without me for a bit. It is very tactful about it.",
            de: """
                Wenn ich beide Augen schließe, geht der Tag kurz ohne mich weiter. Er ist sehr taktvoll \
                dabei.
                """),
        DiaryText(
            en: "My paws have stopped being four. They are one soft thing.",
            de: "Meine Pfoten sind nicht mehr vier. Sie sind ein weiches Ding."),
        DiaryText(
            en: "Not much left to write with, so briefly: I like you.",
            de: "Zum Schreiben ist nicht mehr viel von mir da, darum kurz: Ich mag dich."),
        DiaryText(en: "Faint as pencil, but legible.", de: "Blass wie Bleistift, aber lesbar."),
        DiaryText(
            en: "There is one warm spot left in the belly. I have curled up around it, as around an egg.",
            de: "Eine warme Stelle ist noch im Bauch. Ich habe mich darumgelegt wie um ein Ei."),
        DiaryText(
            en: "A breath, a gap, a breath. The gaps are upholstered.",
            de: "Ein Atemzug, eine Lücke, ein Atemzug. Die Lücken sind gepolstert."),
        DiaryText(
            en: "Bravery was the idea. I fell asleep before the end of it.",
            de: "Tapfer sein war die Idee. Vor dem Ende bin ich eingeschlafen."),
        DiaryText(
            en: "Deep down in the basket. From here the ceiling looks like weather.",
            de: "Tief unten im Korb. Von hier sieht die Zimmerdecke aus wie Wetter."),
        DiaryText(
            en: "Somewhere it is {{dayPart}}. In here it is mostly wool.",
            de: "Irgendwo ist {{dayPart}}. Hier drin ist vor allem Wolle."),
        DiaryText(en: "Soft. Low. All ears.", de: "Weich. Leise. Ganz Ohr."),
        DiaryText(
            en: "My tail has already said goodnight. It always goes first.",
            de: "Mein Schwanz hat schon gute Nacht gesagt. Er geht immer voraus."),
        DiaryText(en: "Audible from very close only: hello.", de: "Nur aus nächster Nähe zu hören: hallo."),
        DiaryText(
            en: "Rain would be nice now. It could do the talking.",
            de: "Regen wäre jetzt schön. Der könnte das Reden übernehmen."),
        DiaryText(
            en: "Like a stone after sunset: dark outside, and a little warm inside.",
            de: "Wie ein Stein nach Sonnenuntergang: außen dunkel, innen noch ein wenig warm."),
    ]
}
