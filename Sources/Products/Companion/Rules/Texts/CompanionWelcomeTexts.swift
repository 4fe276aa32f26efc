extension CompanionTexts {
    /// A day may have 0 hp at its first `open`, so no greeting promises strength.
    static let welcome: [DiaryText] = [
        DiaryText(
            en: "There you are. I kept half the windowsill warm for you. The better half, nearly.",
            de: "Da bist du ja. Ich habe dir die halbe Fensterbank warm gehalten. Fast die bessere Hälfte."),
        DiaryText(en: "Oh good, you.", de: "Ach schön, du."),
        DiaryText(
            en: "Report from the box: it is still a box. I checked twice, once from inside.",
            de: "Meldung aus dem Karton: Er ist noch einer. Ich habe zweimal nachgesehen, einmal von innen."),
        DiaryText(
            en: """
                It smells of {{dayPart}} and a little of toast. I have stretched in both directions and am \
                open to suggestions.
                """,
            de: """
                Es riecht nach {{dayPart}} und ein wenig nach Toast. Ich habe mich in beide Richtungen \
                gestreckt und bin für Vorschläge offen.
                """),
        DiaryText(
            en: "Hello. I heard your step before you took it. That, at least, is what I tell the moth.",
            de: """
                Hallo. Ich habe deinen Schritt gehört, noch ehe du ihn getan hast. So erzähle ich es \
                jedenfalls der Motte.
                """),
        DiaryText(
            en: "Today has a corner that I have not sniffed at yet. I thought I would wait for you.",
            de: """
                Dieser Tag hat eine Ecke, an der ich noch nicht geschnuppert habe. Ich dachte, ich warte \
                auf dich.
                """),
        DiaryText(
            en: "My tail went up before I could think of anything dignified. So: welcome.",
            de: "Mein Schwanz ging hoch, bevor mir etwas Würdevolles einfiel. Also: willkommen."),
        DiaryText(
            en: "Plans so far: the warm tile, then the other warm tile. Boarding at both.",
            de: "Pläne bisher: die warme Fliese, danach die andere warme Fliese. Zustieg an beiden möglich."),
        DiaryText(
            en: "Someone has moved the chair by the width of a paw. I am looking into it. Good to have you.",
            de: """
                Jemand hat den Stuhl um eine Pfote verrückt. Ich gehe der Sache nach. Schön, dass du \
                kommst.
                """),
        DiaryText(
            en: "You are early, or I am late, or the clock is a cushion. In any case I am pleased.",
            de: "Du bist früh, oder ich bin spät, oder die Uhr ist ein Kissen. Jedenfalls freue ich mich."),
        DiaryText(
            en: """
                The pigeon opposite thinks the day is nothing special. It thinks that of everything. I \
                would rather ask you.
                """,
            de: """
                Die Taube von gegenüber hält den Tag für nichts Besonderes. Das tut sie bei allem. Ich \
                frage lieber dich.
                """),
        DiaryText(
            en: "I dreamt of a tin without a bottom. Then you came, which is nearly as good.",
            de: "Ich habe von einer Dose ohne Boden geträumt. Dann kamst du, das ist fast so gut."),
        DiaryText(
            en: "You smell of outdoors, or of biscuits. Either way I shall need a moment with your sleeve.",
            de: """
                Du riechst nach draußen oder nach Keks. So oder so brauche ich einen Moment mit deinem \
                Ärmel.
                """),
        DiaryText(
            en: "Post came: one draught, under the door. I signed for you.",
            de: "Post war da: ein Luftzug, unter der Tür durch. Ich habe für dich unterschrieben."),
        DiaryText(
            en: "A blank page and a clean paw. One of the two will not last. 🐾",
            de: "Eine leere Seite und eine saubere Pfote. Eins von beiden hält nicht lange. 🐾"),
        DiaryText(
            en: "Welcome to the diary. I do the writing, you bring the lap.",
            de: "Willkommen im Tagebuch. Ich schreibe, du bringst den Schoß mit."),
        DiaryText(
            en: "If anyone asks: I was not waiting behind the door. I live there.",
            de: "Falls jemand fragt: Ich habe nicht hinter der Tür gewartet. Ich wohne da."),
        DiaryText(
            en: "I had meant to play hard to get for a while. The purring started without me.",
            de: "Ich wollte mich erst ein wenig zieren. Das Schnurren hat ohne mich angefangen."),
        DiaryText(
            en: "I swept the windowsill with my tail. It was the least I could do, and I did exactly that.",
            de: """
                Ich habe die Fensterbank mit dem Schwanz gefegt. Das war das Mindeste, und genau das habe \
                ich getan.
                """),
        DiaryText(
            en: "Let me look at you. Yes. Same ears as yesterday, very good.",
            de: "Lass dich ansehen. Ja. Dieselben Ohren wie gestern, sehr gut."),
    ]
}
