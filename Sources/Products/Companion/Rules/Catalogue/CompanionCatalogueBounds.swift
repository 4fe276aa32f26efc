extension Catalogue {
    /// The bounds that this catalogue breaks, each as a sentence for the operator; none: it may come into force.
    /// - Parameter current: the catalogue in force.
    package func violations(comparedTo current: Catalogue) -> [String] {
        foods.flatMap(\.violations) + cosmetics.flatMap(\.violations) + recoveryViolations
            + duplicates + lacks(current) + jumps(from: current)
    }

    private var duplicates: [String] {
        repeated(foods.map { "food \($0.id)" } + cosmetics.map { "cosmetic \($0.id)" })
            .map { "\($0) stands twice." }
    }

    private func lacks(_ current: Catalogue) -> [String] {
        let starving = Species.allCases.filter { foods(for: $0).isEmpty }
        let missing = current.cosmetics.filter { cosmetic($0.id) == nil }
        return starving.map { "A \($0.rawValue) would have nothing to eat." }
            + missing.map { "cosmetic \($0.id) was in force and is missing. Keep it with \"retired\": true." }
    }

    private var recoveryViolations: [String] {
        let cures = [("cure", cure), ("revive", revive)].flatMap { name, terms in
            violation("\(name): count", terms.count, 1...100)
                + violation("\(name): window_days", terms.windowDays, 1...365)
        }
        let all = [("cure", cure), ("revive", revive), ("restart", restart)].flatMap { name, terms in
            violation("\(name): gems", terms.gems, 0...1_000)
                + violation("\(name): pause_hours", terms.pauseHours, 0...720)
        }
        return all + cures + violation("revive: fragile_days", revive.fragileDays, 0...30)
            + violation("restart: free_after_days", restart.freeAfterDays, 1...365)
    }
}

extension Food {
    fileprivate var violations: [String] {
        let name = "food \(id)"
        return idViolation("\(name): id", id) + titleViolation(name, title) + violations(of: figures, name)
            + Species.allCases.filter { overrides[$0] != nil }.flatMap { species in
                violations(of: figures(for: species), "\(name) for a \(species.rawValue)")
            }
    }

    private func violations(of figures: FoodFigures, _ name: String) -> [String] {
        violation("\(name): energy", figures.energy, 1...500)
            + violation("\(name): fullness", figures.fullness, 0...100)
            + violation("\(name): mood", figures.mood, 0...10)
            + ((0...250).contains(figures.buff)
                ? [] : ["\(name): buff is \(decimalText(figures.buff)), not 0 to 0.25."])
    }
}

extension Cosmetic {
    fileprivate var violations: [String] {
        let name = "cosmetic \(id)"
        var result =
            idViolation("\(name): id", id) + titleViolation(name, title)
            + idViolation("\(name): category", category)
        if let energy { result += violation("\(name): energy", energy, 1...5_000) }
        if let gems { result += violation("\(name): gems", gems, 1...2_500) }
        if energy == nil && gems == nil { result.append("\(name) has no price.") }
        if let from, let to, from >= to { result.append("\(name): its season ends before it begins.") }
        return result
    }
}

private func violation(_ name: String, _ value: Int?, _ bounds: ClosedRange<Int>) -> [String] {
    guard let value else { return ["\(name) is missing."] }
    if bounds.contains(value) { return [] }
    return ["\(name) is \(value), not \(bounds.lowerBound) to \(bounds.upperBound)."]
}

private func idViolation(_ name: String, _ text: String) -> [String] {
    isCatalogueID(text) ? [] : ["\(name) is not 1 to 32 of a-z, 0-9 and _."]
}

private func titleViolation(_ name: String, _ title: String) -> [String] {
    (1...50).contains(title.unicodeScalars.count) ? [] : ["\(name): title has not 1 to 50 characters."]
}

/// The names that stand more than once, in order.
private func repeated(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    var told: Set<String> = []
    return names.filter { !seen.insert($0).inserted && told.insert($0).inserted }
}
