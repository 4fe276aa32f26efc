extension Catalogue {
    /// The catalogue in force until the first approval: version 0.
    package static let defaults = Catalogue(
        foods: [
            Food(
                id: "kibble", title: "Kibble", species: .both,
                figures: FoodFigures(energy: 25, fullness: 10, mood: 0, buff: 0)),
            Food(
                id: "snack", title: "Snack", species: .both,
                figures: FoodFigures(energy: 30, fullness: 5, mood: 2, buff: 25)),
            Food(
                id: "dinner", title: "Dinner", species: .both,
                figures: FoodFigures(energy: 50, fullness: 20, mood: 1, buff: 50),
                overrides: [.cat: FoodOverride(fullness: 25)]),
            Food(
                id: "tuna", title: "Tuna", species: .cat,
                figures: FoodFigures(energy: 60, fullness: 25, mood: 1, buff: 50)),
            Food(
                id: "bone", title: "Bone", species: .dog,
                figures: FoodFigures(energy: 60, fullness: 20, mood: 2, buff: 50)),
            Food(
                id: "feast", title: "Feast", species: .both,
                figures: FoodFigures(energy: 100, fullness: 40, mood: 2, buff: 100)),
        ],
        cosmetics: [
            Cosmetic(id: "red_scarf", title: "Red scarf", category: "neck", energy: 80),
            Cosmetic(id: "blue_bandana", title: "Blue bandana", category: "neck", gems: 40),
            Cosmetic(id: "straw_hat", title: "Straw hat", category: "head", gems: 80),
            Cosmetic(id: "flower_crown", title: "Flower crown", category: "head", energy: 120, gems: 60),
            Cosmetic(id: "round_glasses", title: "Round glasses", category: "face", energy: 100),
            Cosmetic(id: "cozy_blanket", title: "Cozy blanket", category: "place", gems: 150),
        ],
        cure: RecoveryTerms(gems: 120, pauseHours: 24, count: 5, windowDays: 30),
        revive: RecoveryTerms(gems: 400, pauseHours: 168, count: 2, windowDays: 90, fragileDays: 7),
        restart: RecoveryTerms(gems: 200, pauseHours: 24, freeAfterDays: 30))
}
