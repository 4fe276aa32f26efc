extension CompanionTexts {
    /// The day is over for the cat, and both begin again tomorrow. Every text says "we".
    static let terminal: [DiaryText] = [
        DiaryText(
            en: """
                There went my last spark, rather prettily. We do the rest of the day by ear, and tomorrow \
                we begin again.
                """,
            de: """
                Da ging mein letzter Funke, recht hübsch sogar. Den Rest des Tages machen wir nach Gehör, \
                und morgen fangen wir neu an.
                """),
        DiaryText(
            en: """
                At {{terminalAtLocalTime}} I lay down and left it at that. We have had longer days. We \
                shall have them again.
                """,
            de: """
                Um {{terminalAtLocalTime}} habe ich mich hingelegt und es dabei belassen. Wir hatten schon \
                längere Tage. Wir werden wieder welche haben.
                """),
        DiaryText(
            en: """
                The flap is shut until tomorrow. On this side of it: a blanket, a cat, you. We could have \
                done worse.
                """,
            de: """
                Die Klappe ist bis morgen zu. Auf dieser Seite: eine Decke, eine Katze, du. Wir hätten es \
                schlechter treffen können.
                """),
        DiaryText(
            en: """
                A hundred is a lot of cat, and today we got through all of it. Tomorrow there is a new \
                hundred.
                """,
            de: """
                Hundert ist viel Katze, und heute haben wir alles davon aufgebraucht. Morgen gibt es neue \
                hundert.
                """),
        DiaryText(
            en: """
                Our day turned out a small one. I have put it in the drawer with the other small ones, so \
                that it has company.
                """,
            de: """
                Unser Tag ist klein ausgefallen. Ich habe ihn in die Schublade zu den anderen kleinen \
                gelegt, da hat er Gesellschaft.
                """),
        DiaryText(
            en: """
                Since {{terminalAtLocalTime}} I have been a cushion. Cushions bear no grudges, and in the \
                morning we are both something else.
                """,
            de: """
                Seit {{terminalAtLocalTime}} bin ich ein Kissen. Kissen sind nicht nachtragend, und morgen \
                früh sind wir beide wieder etwas anderes.
                """),
        DiaryText(
            en: "Together we have reached the end of the cat. From here on it is all nap.",
            de: "Gemeinsam sind wir am Ende der Katze angekommen. Ab hier ist alles Nickerchen."),
        DiaryText(
            en: """
                It is {{dayPart}}, and I am closing for today. We still have the window, which never \
                closes.
                """,
            de: """
                Es ist {{dayPart}}, und ich schließe für heute. Uns bleibt das Fenster, das hat immer \
                geöffnet.
                """),
        DiaryText(
            en: "Nobody keeps accounts here except the diary, and the diary is on our side.",
            de: "Hier führt niemand Buch außer dem Tagebuch, und das Tagebuch ist auf unserer Seite."),
        DiaryText(
            en: """
                I have run down like the egg timer. It does not ring, we simply stop. Overnight somebody \
                winds us up again.
                """,
            de: """
                Ich bin abgelaufen wie die Eieruhr. Es klingelt nicht, wir bleiben einfach stehen. Über \
                Nacht zieht uns jemand wieder auf.
                """),
        DiaryText(
            en: "See you on the far side of the night. We shall be two well-rested animals.",
            de: "Bis drüben, auf der anderen Seite der Nacht. Da sind wir zwei ausgeschlafene Tiere."),
        DiaryText(
            en: """
                Today asked for everything, and by {{terminalAtLocalTime}} it had it. It gets nothing more \
                out of us.
                """,
            de: """
                Der Tag wollte alles, und um {{terminalAtLocalTime}} hatte er es. Mehr bekommt er von uns \
                nicht.
                """),
        DiaryText(
            en: "Health: {{currentHealthBand}}. Affection: as before. We are still us.",
            de: "Gesundheit: {{currentHealthBand}}. Zuneigung: wie gehabt. Wir sind immer noch wir."),
        DiaryText(
            en: "The moth has left the lamp, out of tact. We are a quiet house now, all three of us.",
            de: "Taktvoll hat die Motte die Lampe verlassen. Wir sind jetzt ein stilles Haus, alle drei."),
        DiaryText(
            en: "We tried this day on, and the sleeves were too long. Tomorrow's comes in a different cut.",
            de: """
                Wir haben diesen Tag anprobiert, und die Ärmel waren zu lang. Der morgige hat einen \
                anderen Schnitt.
                """),
        DiaryText(
            en: """
                No more cat today. There is still a you, though, and whatever the weather is doing. It \
                will do for us.
                """,
            de: """
                Für heute keine Katze mehr. Aber dich gibt es noch, und das, was das Wetter gerade macht. \
                Uns genügt das.
                """),
        DiaryText(
            en: """
                {{phoneUseHours}} h on the phone, {{goalHours}} h in mind. I have read it out to us once, \
                and now I am closing the book.
                """,
            de: """
                {{phoneUseHours}} h am Handy, {{goalHours}} h im Sinn. Ich habe es uns einmal vorgelesen, \
                nun klappe ich das Buch zu.
                """),
        DiaryText(
            en: "If you hear snoring, it is the two of us practising for tomorrow. I have started already.",
            de: "Falls es schnarcht: Da üben wir beide für morgen. Ich habe schon angefangen."),
        DiaryText(
            en: """
                Our flap clicked one last time at {{terminalAtLocalTime}}. A silence followed, and I fell \
                asleep in it.
                """,
            de: """
                Zum letzten Mal klickte unsere Klappe um {{terminalAtLocalTime}}. Danach kam eine Stille, \
                und in der bin ich eingeschlafen.
                """),
        DiaryText(
            en: """
                Somewhere between the sofa and {{terminalAtLocalTime}} I ran out. In the morning we can \
                look for me under the cushion, third from the left.
                """,
            de: """
                Irgendwo zwischen dem Sofa und {{terminalAtLocalTime}} bin ich mir ausgegangen. Morgen \
                früh suchen wir mich unterm Kissen, dem dritten von links.
                """),
        DiaryText(
            en: """
                This is the part of the story in which the cat sleeps. It is not the end. We are only \
                between chapters.
                """,
            de: """
                An dieser Stelle der Geschichte schläft die Katze. Das ist nicht das Ende. Wir sind nur \
                zwischen zwei Kapiteln.
                """),
        DiaryText(
            en: """
                All the apps are resting, and I am resting along with them. That leaves some {{dayPart}} \
                just for us.
                """,
            de: "Alle Apps ruhen, und ich ruhe mit. Bleibt ein Stück {{dayPart}}, nur für uns."),
        DiaryText(
            en: """
                I spent myself like pocket money, in a great many small coins. Tomorrow we both get our \
                allowance again.
                """,
            de: """
                Ich habe mich ausgegeben wie Taschengeld, in lauter kleinen Münzen. Morgen bekommen wir \
                beide neues.
                """),
        DiaryText(
            en: "Dear diary: lights out. Dear you: we are good.",
            de: "Liebes Tagebuch: Licht aus. Liebes Du: Mit uns ist alles gut."),
        DiaryText(
            en: """
                From {{firstUseTime}} until {{terminalAtLocalTime}} we went in and out like the weather. \
                Now we stay in, and the weather stays out.
                """,
            de: """
                Von {{firstUseTime}} bis {{terminalAtLocalTime}} gingen wir ein und aus wie das Wetter. \
                Jetzt bleiben wir drin, und das Wetter bleibt draußen.
                """),
        DiaryText(
            en: """
                First out at {{firstUseTime}}, all out at {{terminalAtLocalTime}}. From here we travel \
                light.
                """,
            de: """
                Zum ersten Mal draußen um {{firstUseTime}}, ganz leer um {{terminalAtLocalTime}}. Ab hier \
                reisen wir mit leichtem Gepäck.
                """),
        DiaryText(
            en: """
                When the flap first moved, at {{firstUseTime}}, I was lying in the box and had plans. \
                Tomorrow we can take the plans out again. They keep.
                """,
            de: """
                Als sich um {{firstUseTime}} die Klappe zum ersten Mal bewegte, lag ich im Karton und \
                hatte Pläne. Morgen holen wir die Pläne wieder hervor. Sie halten sich.
                """),
        DiaryText(
            en: """
                Our minutes read: first opening at {{firstUseTime}}, cat asleep at \
                {{terminalAtLocalTime}}. They leave out that I like you. I am adding it here.
                """,
            de: """
                Unser Protokoll: erste Öffnung um {{firstUseTime}}, Katze schläft ab \
                {{terminalAtLocalTime}}. Dass ich dich mag, fehlt darin. Ich trage es hiermit nach.
                """),
        DiaryText(
            en: """
                Doors opened first at {{firstUseTime}} and last at {{lastUseTime}}. Now they are all \
                closed, and we can hear the house again.
                """,
            de: """
                Türen gingen auf, zuerst um {{firstUseTime}}, zuletzt um {{lastUseTime}}. Jetzt sind alle \
                zu, und wir hören wieder das Haus.
                """),
        DiaryText(
            en: """
                Like a ball of wool: the first tug at {{firstUseTime}}, the last at {{lastUseTime}}, and \
                now we are all thread. I know a cat who will wind it up by morning.
                """,
            de: """
                Wie ein Wollknäuel: der erste Zug um {{firstUseTime}}, der letzte um {{lastUseTime}}, und \
                nun sind wir ganz Faden. Ich kenne eine Katze, die ihn bis morgen aufwickelt.
                """),
        DiaryText(
            en: """
                At {{lastUseTime}} the last of today's nine lives went out for a walk. We expect all nine \
                back for breakfast.
                """,
            de: """
                Um {{lastUseTime}} ging das letzte der heutigen neun Leben spazieren. Wir erwarten alle \
                neun zum Frühstück zurück.
                """),
        DiaryText(
            en: """
                Twenty small outings, the first at {{firstUseTime}}, the last at {{lastUseTime}}. By now \
                we know the way by heart. Tomorrow may hold another one.
                """,
            de: """
                Zwanzig kleine Ausflüge, der erste um {{firstUseTime}}, der letzte um {{lastUseTime}}. Den \
                Weg kennen wir jetzt auswendig. Morgen gibt es vielleicht einen anderen.
                """),
        DiaryText(
            en: """
                When it was {{firstUseTime}}, I was still running laps. Now I run nothing, not even a \
                temperature. Let us call it a day, and kindly.
                """,
            de: """
                Als es {{firstUseTime}} war, drehte ich noch Runden. Jetzt drehe ich mich nur noch um. \
                Lassen wir den Tag gut sein, und zwar freundlich.
                """),
        DiaryText(
            en: """
                {{overByHours}} h past the goal of {{goalHours}} h. It is a number, we have greeted it, \
                and now it may lie down as well.
                """,
            de: """
                {{overByHours}} h über dem Ziel von {{goalHours}} h. Es ist eine Zahl, wir haben sie \
                begrüßt, nun darf auch sie sich hinlegen.
                """),
        DiaryText(
            en: """
                Longer than planned by {{overByHours}} h, that was the day. Shorter than planned, that was \
                me. Tomorrow we measure again, with a fresh ruler.
                """,
            de: """
                Länger als geplant um {{overByHours}} h, das war der Tag. Kürzer als geplant, das war ich. \
                Morgen messen wir neu, mit frischem Lineal.
                """),
        DiaryText(
            en: """
                All in all {{phoneUseHours}} h, so {{overByHours}} h more than intended. I had intended to \
                catch the moth. We are even.
                """,
            de: """
                Alles in allem {{phoneUseHours}} h, also {{overByHours}} h mehr als vorgehabt. Ich hatte \
                vor, die Motte zu fangen. Wir sind quitt.
                """),
        DiaryText(
            en: """
                Over by {{overByHours}} h, asleep by {{terminalAtLocalTime}}, fond of you throughout. We \
                start with clean paws tomorrow.
                """,
            de: """
                Um {{overByHours}} h drüber, um {{terminalAtLocalTime}} eingeschlafen, und gemocht habe \
                ich dich durchgehend. Morgen starten wir mit sauberen Pfoten.
                """),
        DiaryText(
            en: """
                Curious: {{underByHours}} h of the goal are still here, and I am not. We shall let them \
                sleep beside me.
                """,
            de: """
                Merkwürdig: Vom Ziel sind noch {{underByHours}} h da, von mir nichts. Wir lassen sie neben \
                mir schlafen.
                """),
        DiaryText(
            en: """
                We kept {{underByHours}} h of the goal and none of the cat. I call that an honourable \
                draw.
                """,
            de: """
                Vom Ziel haben wir {{underByHours}} h behalten, von der Katze nichts. Ich nenne das ein \
                ehrenvolles Unentschieden.
                """),
        DiaryText(
            en: """
                Short visits, but many: {{underByHours}} h below the goal, and still I am empty. We have a \
                mathematics of our own, you and I.
                """,
            de: """
                Kurze Besuche, dafür viele: {{underByHours}} h unter dem Ziel, und ich bin trotzdem leer. \
                Wir zwei haben eine eigene Mathematik.
                """),
    ]
}
