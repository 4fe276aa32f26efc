extension CompanionTexts {
    /// The cat is concerned.
    static let band60: [DiaryText] = [
        DiaryText(
            en: """
                Something in me has gone quiet, as when a clock stops in the next room. I am going round \
                the furniture looking for it.
                """,
            de: """
                In mir ist etwas still geworden, wie wenn nebenan eine Uhr stehen bleibt. Ich gehe um die \
                Möbel herum und suche sie.
                """),
        DiaryText(
            en: "A thought has got stuck crosswise, like a fish bone. I am swallowing with care.",
            de: "Ein Gedanke ist mir quer stecken geblieben, wie eine Gräte. Ich schlucke mit Bedacht."),
        DiaryText(
            en: "I climbed into the box and no longer know what for. It is a good box for that.",
            de: "Ich bin in den Karton gestiegen und weiß nicht mehr, wozu. Dafür eignet er sich gut."),
        DiaryText(
            en: "Asked how I was, the mirror looked slightly concerned.",
            de: "Auf die Frage, wie es mir geht, sah der Spiegel etwas besorgt aus."),
        DiaryText(
            en: "Each paw asks before it steps. That is polite of them, and a little slow.",
            de: "Jede Pfote fragt, bevor sie auftritt. Das ist höflich und ein wenig langsam."),
        DiaryText(
            en: "Half awake, half elsewhere. The halves write each other postcards.",
            de: "Halb wach, halb woanders. Die Hälften schreiben sich Postkarten."),
        DiaryText(
            en: """
                For the windowsill I needed a run-up. I looked round to see who had noticed. Luckily only \
                you.
                """,
            de: """
                Für die Fensterbank brauchte ich Anlauf. Ich sah mich um, ob es jemand gemerkt hat. Zum \
                Glück nur du.
                """),
        DiaryText(
            en: "There is a draught in my purr. I have searched for the gap and not found it yet.",
            de: "In meinem Schnurren zieht es. Ich habe die Ritze gesucht und noch nicht gefunden."),
        DiaryText(en: "Slightly worried. Otherwise warm.", de: "Etwas besorgt. Sonst warm."),
        DiaryText(
            en: "Normally I know where my tail is. Just now I had to turn round and check.",
            de: "Sonst weiß ich, wo mein Schwanz ist. Eben habe ich mich umgedreht und nachgesehen."),
        DiaryText(
            en: """
                I am carrying something invisible, about as heavy as a wet leaf. It lies across the \
                shoulders.
                """,
            de: """
                Ich trage etwas Unsichtbares, ungefähr so schwer wie ein nasses Blatt. Es liegt auf den \
                Schultern.
                """),
        DiaryText(
            en: """
                The moth came by and asked whether all was well. I said: nearly. It has been sitting next \
                to me since.
                """,
            de: """
                Die Motte kam vorbei und fragte, ob alles gut ist. Ich sagte: fast. Seitdem sitzt sie \
                neben mir.
                """),
        DiaryText(
            en: "I counted the stairs and got a different number each time. The stairs say it is not them.",
            de: """
                Die Stufen habe ich gezählt und jedes Mal etwas anderes herausbekommen. Die Stufen sagen, \
                an ihnen liegt es nicht.
                """),
        DiaryText(
            en: "Is it colder, or is my coat thinner? I have fluffed myself up, to be on the safe side.",
            de: "Ist es kälter, oder ist mein Fell dünner? Ich habe mich vorsichtshalber aufgeplustert."),
        DiaryText(
            en: "Mew. It came out with a question mark.",
            de: "Miau. Es kam mit einem Fragezeichen heraus."),
        DiaryText(
            en: "There was a bird, and I let it be a bird.",
            de: "Da war ein Vogel, und ich ließ ihn einen Vogel sein."),
        DiaryText(
            en: "Worry, in cats, lives in the ears. Mine are facing two ways at once.",
            de: "Sorgen wohnen bei Katzen in den Ohren. Meine zeigen gerade in zwei Richtungen."),
        DiaryText(
            en: """
                Outside: {{dayPart}}, slightly grey. Inside: me, slightly grey. We are looking at each \
                other through the glass.
                """,
            de: """
                Draußen: {{dayPart}}, leicht grau. Drinnen: ich, leicht grau. Wir sehen uns durch die \
                Scheibe an.
                """),
        DiaryText(
            en: "All paws tucked in, like a loaf. It helps against the wobble.",
            de: "Alle Pfoten eingezogen, wie ein Brotlaib. Das hilft gegen das Wackeln."),
        DiaryText(
            en: "In my middle there is a drawer that will not quite close.",
            de: "In meiner Mitte ist eine Schublade, die nicht ganz zugeht."),
    ]
}
