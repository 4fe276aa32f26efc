import CompanionRules
import Foundation

/// A food as the catalogue's JSON has it.
struct FoodForm: Codable {
    let food: Food

    init(_ food: Food) { self.food = food }

    init(from decoder: any Decoder) throws {
        let members = try decoder.knownMembers(CodingKeys.self)
        guard let species = FoodSpecies(rawValue: try members.decode(String.self, forKey: .species)) else {
            throw DecodingError.dataCorruptedError(
                forKey: .species, in: members, debugDescription: "a food is for cat, dog or both.")
        }
        food = Food(
            id: try members.decode(String.self, forKey: .id),
            title: try members.decode(String.self, forKey: .title), species: species,
            figures: FoodFigures(
                energy: try members.figure(.energy), fullness: try members.figure(.fullness),
                mood: try members.figure(.mood),
                buff: try members.decode(BuffForm.self, forKey: .buff).thousandths),
            animation: try members.decodeIfPresent(String.self, forKey: .animation),
            overrides: try members.decodeIfPresent(OverridesForm.self, forKey: .overrides)?.overrides ?? [:])
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(food.id, forKey: .id)
        try members.encode(food.title, forKey: .title)
        try members.encode(food.species.rawValue, forKey: .species)
        try members.encode(food.figures.energy, forKey: .energy)
        try members.encode(food.figures.fullness, forKey: .fullness)
        try members.encode(food.figures.mood, forKey: .mood)
        try members.encode(BuffForm(food.figures.buff), forKey: .buff)
        try members.encodeIfPresent(food.animation, forKey: .animation)
        if !food.overrides.isEmpty { try members.encode(OverridesForm(food.overrides), forKey: .overrides) }
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, title, species, energy, fullness, mood, buff, animation, overrides
    }
}

private struct OverridesForm: Codable {
    let overrides: [Species: FoodOverride]

    init(_ overrides: [Species: FoodOverride]) { self.overrides = overrides }

    init(from decoder: any Decoder) throws {
        let members = try decoder.knownMembers(CodingKeys.self)
        var overrides: [Species: FoodOverride] = [:]
        overrides[.cat] = try members.decodeIfPresent(OverrideForm.self, forKey: .cat)?.figures
        overrides[.dog] = try members.decodeIfPresent(OverrideForm.self, forKey: .dog)?.figures
        self.overrides = overrides
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(overrides[.cat].map(OverrideForm.init), forKey: .cat)
        try members.encodeIfPresent(overrides[.dog].map(OverrideForm.init), forKey: .dog)
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case cat, dog
    }
}

private struct OverrideForm: Codable {
    let figures: FoodOverride

    init(_ figures: FoodOverride) { self.figures = figures }

    init(from decoder: any Decoder) throws {
        let members = try decoder.knownMembers(CodingKeys.self)
        figures = FoodOverride(
            energy: try members.figureIfPresent(.energy), fullness: try members.figureIfPresent(.fullness),
            mood: try members.figureIfPresent(.mood),
            buff: try members.decodeIfPresent(BuffForm.self, forKey: .buff)?.thousandths,
            animation: try members.decodeIfPresent(String.self, forKey: .animation))
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(figures.energy, forKey: .energy)
        try members.encodeIfPresent(figures.fullness, forKey: .fullness)
        try members.encodeIfPresent(figures.mood, forKey: .mood)
        try members.encodeIfPresent(figures.buff.map(BuffForm.init), forKey: .buff)
        try members.encodeIfPresent(figures.animation, forKey: .animation)
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case energy, fullness, mood, buff, animation
    }
}

/// A buff as a decimal such as `0.025`.
private struct BuffForm: Codable {
    let thousandths: Thousandths

    init(_ thousandths: Thousandths) { self.thousandths = thousandths }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let scaled = try container.decode(Decimal.self) * 1_000
        // A decimal that is not a whole number of thousandths differs from the one made of its whole part.
        let whole = Int(truncating: NSDecimalNumber(decimal: scaled))
        guard scaled.magnitude <= 1_000_000, Decimal(whole) == scaled else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a buff is 0 to 0.25, with at most three decimals.")
        }
        thousandths = whole
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Decimal(thousandths) / 1_000)
    }
}
