import CompanionRules
import DeviceIntake
import Testing

@Suite("The catalogue of Companion")
struct CompanionCatalogueTests {
    private static let current = Catalogue.defaults

    @Test("the defaults break no bound, and do not differ from themselves")
    func defaults() {
        #expect(Self.current.violations(comparedTo: Self.current).isEmpty)
        #expect(Self.current.differences(from: Self.current).isEmpty)
    }

    @Test(
        "the figures of the default foods",
        arguments: [
            ("kibble", Species?.none, [25, 10, 0, 0]), ("snack", .none, [30, 5, 2, 25]),
            ("dinner", .none, [50, 20, 1, 50]), ("dinner", .dog, [50, 20, 1, 50]),
            ("dinner", .cat, [50, 25, 1, 50]), ("tuna", .cat, [60, 25, 1, 50]),
            ("bone", .dog, [60, 20, 2, 50]),
            ("feast", .none, [100, 40, 2, 100]),
        ])
    func foods(id: String, species: Species?, figures: [Int]) throws {
        let food = try #require(Self.current.foods(for: species).first { $0.id == id })
        let found = food.figures(for: species)
        #expect([found.energy, found.fullness, found.mood, found.buff] == figures)
    }

    @Test("a pet is offered the foods of its species")
    func species() {
        #expect(Self.current.foods(for: .cat).map(\.id) == ["kibble", "snack", "dinner", "tuna", "feast"])
        #expect(Self.current.food("bone", for: .cat) == nil)
        #expect(Self.current.food("bone", for: .dog) != nil)
    }

    private static let foodChanges: [(String, @Sendable (inout Food) -> Void)] = [
        ("food kibble: energy is 0", { $0.figures.energy = 0 }),
        ("food kibble: energy is 501", { $0.figures.energy = 501 }),
        ("food kibble: fullness is 101", { $0.figures.fullness = 101 }),
        ("food kibble: mood is 11", { $0.figures.mood = 11 }),
        ("food kibble: buff is 0.251", { $0.figures.buff = 251 }),
        ("food kibble: buff is -0.001", { $0.figures.buff = -1 }),
        ("food kibble: title has not", { $0.title = "" }),
        ("food kibble: title has not", { $0.title = String(repeating: "x", count: 51) }),
        ("food Kibble: id is not", { $0.id = "Kibble" }),
        ("food snack stands twice.", { $0.id = "snack" }),
        ("food kibble for a dog: mood is 11", { $0.overrides[.dog] = FoodOverride(mood: 11) }),
        ("food kibble: energy changes from 25 to 51", { $0.figures.energy = 51 }),
        ("food kibble: energy changes from 25 to 12", { $0.figures.energy = 12 }),
        (
            "food kibble for a cat: energy changes from 25 to 51",
            { $0.overrides[.cat] = FoodOverride(energy: 51) }
        ),
    ]

    @Test("bounds of foods", arguments: foodChanges.indices)
    func foodBounds(index: Int) {
        let (wanted, change) = Self.foodChanges[index]
        var next = Self.current
        change(&next.foods[0])
        let found = next.violations(comparedTo: Self.current)
        #expect(found.contains { $0.hasPrefix(wanted) }, "\(found)")
    }

    private static let cosmeticChanges: [(String, @Sendable (inout Cosmetic) -> Void)] = [
        ("cosmetic red_scarf: energy is 5001", { $0.energy = 5_001 }),
        ("cosmetic red_scarf: gems is 0", { $0.gems = 0 }),
        ("cosmetic red_scarf: gems is 2501", { $0.gems = 2_501 }),
        ("cosmetic red_scarf has no price", { $0.energy = nil }),
        ("cosmetic red_scarf: its season ends", { ($0.from, $0.to) = (5, 5) }),
        ("cosmetic red_scarf: category is not", { $0.category = "the neck" }),
        ("cosmetic red_scarf was in force and is missing", { $0.id = "scarf" }),
        ("cosmetic red_scarf: energy changes from 80 to 161", { $0.energy = 161 }),
        ("cosmetic red_scarf: energy changes from 80 to 39", { $0.energy = 39 }),
    ]

    @Test("bounds of cosmetics", arguments: cosmeticChanges.indices)
    func cosmeticBounds(index: Int) {
        let (wanted, change) = Self.cosmeticChanges[index]
        var next = Self.current
        change(&next.cosmetics[0])
        let found = next.violations(comparedTo: Self.current)
        #expect(found.contains { $0.hasPrefix(wanted) }, "\(found)")
    }

    private static let recoveryChanges: [(String, @Sendable (inout Catalogue) -> Void)] = [
        ("revive: gems is 1001", { $0.revive.gems = 1_001 }),
        ("cure: gems is -1", { $0.cure.gems = -1 }),
        ("restart: pause_hours is 721", { $0.restart.pauseHours = 721 }),
        ("cure: count is 0", { $0.cure.count = 0 }),
        ("cure: count is missing", { $0.cure.count = nil }),
        ("revive: window_days is 366", { $0.revive.windowDays = 366 }),
        ("revive: fragile_days is 31", { $0.revive.fragileDays = 31 }),
        ("restart: free_after_days is 0", { $0.restart.freeAfterDays = 0 }),
        ("cure: gems changes from 120 to 241", { $0.cure.gems = 241 }),
        ("A dog would have nothing to eat.", { $0.foods.removeAll { $0.species != .cat } }),
    ]

    @Test("bounds of recoveries, and food for each species", arguments: recoveryChanges.indices)
    func recoveryBounds(index: Int) {
        let (wanted, change) = Self.recoveryChanges[index]
        var next = Self.current
        change(&next)
        let found = next.violations(comparedTo: Self.current)
        #expect(found.contains { $0.hasPrefix(wanted) }, "\(found)")
    }

    @Test("twice and half of a price are allowed, and so are the bounds themselves")
    func allowed() {
        var next = Self.current
        next.foods[0].figures = FoodFigures(energy: 50, fullness: 100, mood: 10, buff: 250)
        next.cosmetics[0].energy = 40
        next.cosmetics[0].gems = 2_500
        next.cosmetics[0].isRetired = true
        next.revive = RecoveryTerms(gems: 800, pauseHours: 720, count: 100, windowDays: 365, fragileDays: 30)
        next.restart = RecoveryTerms(gems: 100, pauseHours: 0, freeAfterDays: 365)
        #expect(next.violations(comparedTo: Self.current).isEmpty)
    }

    @Test("differences name the thing, the figure and both values")
    func differences() {
        var next = Self.current
        next.foods[2].figures.buff = 100
        next.foods[2].overrides = [:]
        next.foods.removeLast()
        next.cosmetics[0].from = 0
        next.cosmetics.append(Cosmetic(id: "bell", title: "Bell", category: "neck", gems: 20))
        next.cure.gems = 100
        #expect(
            next.differences(from: Self.current) == [
                "food dinner: buff 0.05 → 0.1", "food dinner: cat fullness 25 → -",
                "cosmetic red_scarf: from - → 1970-01-01T00:00:00Z",
                "cosmetic bell: new, title Bell, category neck, energy -, gems 20, from -, to -, retired false",
                "cure: gems 120 → 100", "food feast: removed",
            ])
    }

    @Test("a cosmetic is sold in its season, unless it is retired")
    func seasons() {
        var cosmetic = Cosmetic(id: "x", title: "X", category: "neck", gems: 5, from: 10, to: 20)
        #expect([9, 10, 19, 20].map { cosmetic.isAvailable(at: $0) } == [false, true, true, false])
        #expect(cosmetic.price(in: .energy) == nil)
        cosmetic.isRetired = true
        #expect(!cosmetic.isAvailable(at: 10))
    }

    @Test("a pet wears at most one cosmetic of a category")
    func outfits() {
        let cosmetics = Self.current.cosmetics
        #expect(!cosmetics[0...1].fitTogether)
        #expect(cosmetics[1...2].fitTogether)
    }

    @Test("ids, categories and flags")
    func ids() {
        #expect(isCatalogueID("a_9") && isCatalogueID(String(repeating: "a", count: 32)))
        for text in ["", "A", "ä", "a.b", "a-b", "a\n", String(repeating: "a", count: 33)] {
            #expect(!isCatalogueID(text))
        }
        #expect(isFlagKey("a.b_9") && isFlagKey(String(repeating: "a", count: 64)))
        for text in ["", "A.b", "a-b", String(repeating: "a", count: 65)] { #expect(!isFlagKey(text)) }
    }

    @Test(
        "thousandths as decimals",
        arguments: [(0, "0"), (25, "0.025"), (100, "0.1"), (250, "0.25"), (1_000, "1")])
    func decimals(thousandths: Int, text: String) {
        #expect(decimalText(thousandths) == text)
    }
}
