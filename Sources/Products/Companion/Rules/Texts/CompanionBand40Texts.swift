extension CompanionTexts {
    /// The cat is strained.
    static let band40: [DiaryText] = [
        DiaryText(
            en: "Every stair is a whole sentence now, with commas.",
            de: "Jede Stufe ist jetzt ein ganzer Satz, mit Kommas."),
        DiaryText(
            en: "Either my legs are heavier or the floor pulls harder. I have lain down to find out.",
            de: """
                Entweder sind meine Beine schwerer, oder der Boden zieht stärker. Ich habe mich hingelegt, \
                um das zu klären.
                """),
        DiaryText(
            en: "I am a wet jumper on a thin line. The line holds. It only creaks.",
            de: "Ich bin ein nasser Pullover auf einer dünnen Leine. Die Leine hält. Sie knarrt nur."),
        DiaryText(
            en: "Purring takes both lungs just now, so I am saving it for something good.",
            de: "Schnurren braucht gerade beide Lungen. Ich hebe es mir für etwas Gutes auf."),
        DiaryText(
            en: "Tired right down to the toes. All eighteen.",
            de: "Müde bis in die Zehen. Alle achtzehn."),
        DiaryText(
            en: "I began to wash and got as far as one elbow. It is a very clean elbow.",
            de: "Ich fing an, mich zu putzen, und kam bis zum Ellbogen. Es ist ein sehr sauberer Ellbogen."),
        DiaryText(
            en: "Something is tugging at my thread. I grow smaller and roll a little as it goes.",
            de: "Etwas zieht an meinem Faden. Ich werde kleiner und rolle dabei ein Stück."),
        DiaryText(
            en: "A snail on the windowpane has overtaken me. We nodded.",
            de: "Eine Schnecke an der Scheibe hat mich überholt. Wir haben uns zugenickt."),
        DiaryText(
            en: "My eyes want to be slits. I am holding out for almonds.",
            de: "Meine Augen wären gern Schlitze. Ich verhandle noch über Mandeln."),
        DiaryText(
            en: "A sigh went through me from front to back and took its time at the hips.",
            de: """
                Ein Seufzer ging von vorn nach hinten durch mich hindurch. An den Hüften ließ er sich \
                Zeit.
                """),
        DiaryText(
            en: "Today I am largely the underside of a cat.",
            de: "Heute bin ich vor allem die Unterseite einer Katze."),
        DiaryText(
            en: "It is a long way to the cushion. I have divided it into three short ones, with a picnic.",
            de: "Weit ist es bis zum Kissen. Ich habe den Weg in drei kurze geteilt, mit Picknick."),
        DiaryText(
            en: "Chin on the rim of the bowl, simply so that it lies somewhere.",
            de: "Kinn auf dem Napfrand. Einfach, damit es irgendwo liegt."),
        DiaryText(
            en: "The vacuum cleaner could come in now, and I would raise one eyebrow. The left.",
            de: "Käme jetzt der Staubsauger herein, ich höbe eine Braue. Die linke."),
        DiaryText(
            en: "Thin. Not around the belly, there I am as ever. More at the edges.",
            de: "Dünn. Nicht am Bauch, da bin ich wie immer. Eher an den Rändern."),
        DiaryText(
            en: "Stretching was the plan, but the stretch got tired first. Now we both lie here.",
            de: """
                Strecken war der Plan, nur war das Strecken schneller müde als ich. Nun liegen wir beide \
                da.
                """),
        DiaryText(
            en: "The moth is sitting on my nose. I have let it move in.",
            de: "Auf meiner Nase sitzt die Motte. Ich habe sie einziehen lassen."),
        DiaryText(
            en: "Some weights show only when one climbs. I climbed the doormat.",
            de: "Manches Gewicht merkt man erst beim Klettern. Ich habe die Fußmatte bestiegen."),
        DiaryText(
            en: "Being upright is hard work, considering that chairs do it all day.",
            de: "Aufrecht sein ist anstrengend. Ich weiß nicht, wie Stühle das machen."),
        DiaryText(
            en: "It all still holds together, provided that I lie down.",
            de: "Noch hält alles zusammen, sofern ich liege."),
    ]
}
