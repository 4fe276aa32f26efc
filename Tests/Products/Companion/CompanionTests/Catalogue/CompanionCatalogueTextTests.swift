import CompanionRules
import Testing

@testable import Companion

@Suite("The catalogue as JSON")
struct CompanionCatalogueTextTests {
    private static let recovery = """
        "recovery": {"cure": {"gems": 120, "pause_hours": 24, "count": 5, "window_days": 30},
          "revive": {"gems": 400, "pause_hours": 168, "count": 2, "window_days": 90, "fragile_days": 7},
          "restart": {"gems": 200, "pause_hours": 24, "free_after_days": 30}}
        """

    private static func text(_ food: String, _ cosmetic: String, recovery: String = recovery) -> String {
        #"{"foods": [\#(food)], "cosmetics": [\#(cosmetic)], \#(recovery)}"#
    }

    private static let food = """
        {"id": "dinner", "title": "Dinner", "species": "both", "energy": 50, "fullness": 20, "mood": 1, "buff": 0.05}
        """

    @Test("the defaults stay the same when they are written and read")
    func defaults() throws {
        let text = try CompanionCatalogueText.text(of: .defaults)
        #expect(try CompanionCatalogueText.catalogue(of: text) == .defaults)
    }

    @Test("every member arrives, and the same catalogue is always the same text")
    func members() throws {
        let catalogue = try CompanionCatalogueText.catalogue(
            of: Self.text(
                """
                {"title": "Dinner", "id": "dinner", "species": "cat", "energy": 50, "fullness": 20, "mood": 1,
                 "buff": 0.025, "animation": "eat", "overrides": {"cat": {"energy": 40, "buff": 0.1, "animation": "purr"}}}
                """,
                """
                {"id": "hat", "title": "Hat", "category": "head", "energy": 10, "gems": null,
                 "from": "2026-03-02T01:00:00+01:00", "to": "2026-04-01T00:00:00Z", "retired": true}
                """))
        let dinner = try #require(catalogue.foods.first)
        #expect(dinner.figures == FoodFigures(energy: 50, fullness: 20, mood: 1, buff: 25))
        #expect(dinner.figures(for: .cat) == FoodFigures(energy: 40, fullness: 20, mood: 1, buff: 100))
        #expect(dinner.animation == "eat" && dinner.animation(for: .cat) == "purr")
        #expect(
            catalogue.cosmetics == [
                Cosmetic(
                    id: "hat", title: "Hat", category: "head", energy: 10, from: 1_772_409_600,
                    to: 1_775_001_600, isRetired: true)
            ])
        let text = try CompanionCatalogueText.text(of: catalogue)
        let again = try CompanionCatalogueText.catalogue(of: text)
        #expect(again == catalogue)
        #expect(try CompanionCatalogueText.text(of: again) == text)
    }

    @Test(
        "JSON that is not a catalogue is refused",
        arguments: [
            ("[]", "The file"), ("{}", "/foods is missing"),
            (text(food.replacing("both", with: "bird"), ""), "/foods/0/species"),
            (text(food.replacing("0.05", with: "0.0255"), ""), "/foods/0/buff"),
            (text(food.replacing("0.05", with: "1e300"), ""), "A number is too great."),
            (text(food.replacing(": 50", with: ": 50.5"), ""), "/foods/0/energy"),
            (text(food.replacing(": 50", with: ": -9223372036854775808"), ""), "/foods/0/energy"),
            (text(food.replacing(#""mood""#, with: #""mod""#), ""), "/foods/0/mod"),
            (
                text(food, #"{"id": "hat", "title": "Hat", "category": "head", "gems": 1, "retierd": true}"#),
                "retierd"
            ),
            (text(food, #"{"id": "hat", "title": "Hat", "category": "head", "from": "tomorrow"}"#), "from"),
            (text(food, "", recovery: recovery.replacing(#""count": 5, "#, with: "")), "count is missing"),
            (text(food, "", recovery: recovery.replacing("free_after_days", with: "count")), "restart/count"),
            (text(food, "", recovery: #""recovery": {}"#), "/recovery/cure"),
        ])
    func faults(text: String, place: String) {
        do {
            _ = try CompanionCatalogueText.catalogue(of: text)
            Issue.record("It was taken: \(text)")
        } catch {
            #expect(error.isJSON && error.sentence.contains(place), "\(error.sentence)")
        }
    }

    @Test("a text that is not JSON is told apart", arguments: ["", "{", #"{"foods": [], "foods": []}"#])
    func noJSON(text: String) {
        do {
            _ = try CompanionCatalogueText.catalogue(of: text)
            Issue.record("It was taken: \(text)")
        } catch {
            #expect(!error.isJSON)
        }
    }
}
