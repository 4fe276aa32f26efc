import DaylyClient
import ClientFixtures
@testable import FocusClient
import DaylyAPI
import Testing

/// The examples of the product's description, for what a phone computes by itself.
@Suite("Focus: figures and shields of a phone")
struct FocusFiguresTests {
    @Test(
        "points of a streak",
        arguments: [
            (59, 0.00), (60, 0.00), (61, 0.17), (180, 10.99), (300, 16.09), (1_200, 29.96), (1_800, 34.01),
            (3_600, 40.94), (7_200, 47.87), (28_800, 61.74), (86_400, 72.72), (604_800, 92.18),
            (700_000, 92.18),
        ])
    func points(seconds: Int, points: Double) {
        #expect(FocusStreakFigures.points(ofSeconds: seconds) == points)
    }

    @Test(
        "durations in texts",
        arguments: [(2_700, "45 minutes"), (3_600, "1h 0m"), (7_500, "2h 5m"), (-1, "0 minutes")])
    func texts(seconds: Int, text: String) {
        #expect(FocusStreakFigures.text(ofSeconds: seconds) == text)
    }

    @Test("reports are due at 32 half hours and before 16 full hours")
    func thresholds() {
        let all = FocusPhoneEvent.usageThresholds
        #expect(all.prefix(5) == [30, 50, 60, 90, 110] && all.suffix(2) == [950, 960] && all.count == 48)
    }

    struct Example: Sendable, CustomTestStringConvertible {
        let situation: String
        let shield: FocusShield
        let expected: String

        var testDescription: String { situation }
    }

    private static func session(_ mode: FocusShield.Session.Mode, _ isGoalReached: Bool = false)
        -> FocusShield.Session
    {
        .init(mode: mode, isGoalReached: isGoalReached)
    }

    private static let shields = [
        Example(situation: "nothing", shield: .init(), expected: "none - -"),
        Example(situation: "tutorial", shield: .init(isTutorial: true), expected: "tutorial open_app -"),
        Example(
            situation: "tutorial, session allow_list not chosen",
            shield: .init(isTutorial: true, session: session(.allowList)), expected: "tutorial open_app -"),
        Example(
            situation: "session allow_list not chosen", shield: .init(session: session(.allowList)),
            expected: "session dismiss how_to_unlock"),
        Example(
            situation: "session allow_list chosen",
            shield: .init(session: session(.allowList), isChosen: true), expected: "none - -"),
        Example(
            situation: "session block_list chosen, goal reached",
            shield: .init(session: session(.blockList, true), isChosen: true),
            expected: "goal_reached complete stay"),
        Example(
            situation: "session block_list not chosen, intention",
            shield: .init(session: session(.blockList), intention: .init()),
            expected: "intention dismiss open"),
        Example(
            situation: "session block_list chosen, intention",
            shield: .init(session: session(.blockList), isChosen: true, intention: .init()),
            expected: "session dismiss how_to_unlock"),
        Example(
            situation: "intention, used up", shield: .init(intention: .init(isUsedUp: true)),
            expected: "intention dismiss open, asked twice"),
        Example(
            situation: "intention, frozen, used up",
            shield: .init(intention: .init(isUsedUp: true, isFrozen: true)),
            expected: "freeze dismiss open"),
        Example(
            situation: "intention, open window", shield: .init(intention: .init(isWindowOpen: true)),
            expected: "none - -"),
    ]

    @Test("the shield over an app", arguments: Self.shields)
    func shield(example: Example) {
        let shield = example.shield
        let buttons = [shield.primary, shield.secondary].map { $0?.rawValue ?? "-" }.joined(separator: " ")
        let twice = shield.isAskedTwice ? ", asked twice" : ""
        #expect("\(shield.state.rawValue) \(buttons)\(twice)" == example.expected)
    }
}
