import FocusRules
import Testing

@Suite("The shield")
struct ShieldTests {
    @Test(
        "Z1: the first state that applies holds",
        arguments: [
            ("tutorial, session allow_list not chosen", "tutorial", "open_app", "-"),
            ("session allow_list not chosen", "session", "dismiss", "how_to_unlock"),
            ("session allow_list chosen", "none", "-", "-"),
            ("session block_list chosen, goal reached", "goal_reached", "complete", "stay"),
            ("session block_list not chosen, intention", "intention", "dismiss", "open"),
            ("session block_list chosen, intention", "session", "dismiss", "how_to_unlock"),
            ("intention, used up", "intention", "dismiss", "open, asked twice"),
            ("intention, frozen, used up", "freeze", "dismiss", "open"),
            ("intention, open window", "none", "-", "-"),
            ("tutorial", "tutorial", "open_app", "-"),
            ("", "none", "-", "-"),
        ])
    func examples(situation: String, state: String, primary: String, secondary: String) {
        let words = situation.split(separator: ", ")
        var session = ShieldSession.Mode.allCases.first { situation.contains("session \($0.rawValue)") }.map {
            ShieldSession(mode: $0)
        }
        session?.isGoalReached = words.contains("goal reached")
        var intention = words.contains("intention") ? ShieldIntention() : nil
        intention?.isUsedUp = words.contains("used up")
        intention?.isFrozen = words.contains("frozen")
        intention?.isWindowOpen = words.contains("open window")
        let shield = Shield(
            isTutorial: words.contains("tutorial"), session: session,
            isChosen: situation.contains("_list chosen"), intention: intention)
        #expect(shield.state.rawValue == state)
        #expect((shield.primary?.rawValue ?? "-") == primary)
        #expect(
            (shield.secondary?.rawValue ?? "-") + (shield.isAskedTwice ? ", asked twice" : "") == secondary)
    }
}
