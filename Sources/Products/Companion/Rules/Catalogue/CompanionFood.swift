/// The price of a food and its effect.
package struct FoodFigures: Hashable, Sendable {
    package var energy: Int
    package var fullness: Int
    package var mood: Int
    package var buff: Thousandths

    package init(energy: Int, fullness: Int, mood: Int, buff: Thousandths) {
        self.energy = energy
        self.fullness = fullness
        self.mood = mood
        self.buff = buff
    }
}

/// The figures that a food has for one species instead of its own.
package struct FoodOverride: Hashable, Sendable {
    package var energy: Int?
    package var fullness: Int?
    package var mood: Int?
    package var buff: Thousandths?
    package var animation: String?

    package init(
        energy: Int? = nil, fullness: Int? = nil, mood: Int? = nil, buff: Thousandths? = nil,
        animation: String? = nil
    ) {
        self.energy = energy
        self.fullness = fullness
        self.mood = mood
        self.buff = buff
        self.animation = animation
    }
}

/// The raw values are those of the catalogue.
package enum FoodSpecies: String, CaseIterable, Sendable {
    case cat, dog, both

    package func includes(_ species: Species) -> Bool {
        self == .both || rawValue == species.rawValue
    }
}

package struct Food: Hashable, Sendable {
    package var id: String
    package var title: String
    package var species: FoodSpecies
    /// Without an override.
    package var figures: FoodFigures
    package var animation: String?
    package var overrides: [Species: FoodOverride]

    package init(
        id: String, title: String, species: FoodSpecies, figures: FoodFigures, animation: String? = nil,
        overrides: [Species: FoodOverride] = [:]
    ) {
        self.id = id
        self.title = title
        self.species = species
        self.figures = figures
        self.animation = animation
        self.overrides = overrides
    }

    /// The figures for a pet of the species; for nil, those without an override.
    package func figures(for species: Species?) -> FoodFigures {
        guard let override = species.flatMap({ overrides[$0] }) else { return figures }
        return FoodFigures(
            energy: override.energy ?? figures.energy, fullness: override.fullness ?? figures.fullness,
            mood: override.mood ?? figures.mood, buff: override.buff ?? figures.buff)
    }

    package func animation(for species: Species?) -> String? {
        species.flatMap { overrides[$0]?.animation } ?? animation
    }
}
