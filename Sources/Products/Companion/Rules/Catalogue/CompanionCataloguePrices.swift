extension Catalogue {
    /// The prices that more than double, or that fall below half of the price in force.
    func jumps(from current: Catalogue) -> [String] {
        let before = Dictionary(current.prices, uniquingKeysWith: { first, _ in first })
        return prices.compactMap { name, price in
            guard let old = before[name], price > 2 * old || 2 * price < old else { return nil }
            return "\(name) changes from \(old) to \(price), which is more than double or less than half."
        }
    }

    /// All prices by name. Foods have one for pets of each species beside their own.
    private var prices: [(String, Int)] {
        let foods = foods.flatMap { food in
            [("food \(food.id): energy", food.figures.energy)]
                + Species.allCases.filter(food.species.includes).map { species in
                    ("food \(food.id) for a \(species.rawValue): energy", food.figures(for: species).energy)
                }
        }
        let cosmetics = cosmetics.flatMap { cosmetic in
            Currency.allCases.compactMap { currency in
                cosmetic.price(in: currency).map { ("cosmetic \(cosmetic.id): \(currency.rawValue)", $0) }
            }
        }
        return foods + cosmetics
            + RecoveryKind.allCases.map { ("\($0.rawValue): gems", terms(of: $0).gems) }
    }
}
