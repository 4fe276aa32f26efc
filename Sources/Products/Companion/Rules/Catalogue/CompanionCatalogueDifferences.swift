import DeviceIntake

extension Catalogue {
    /// The differences from the catalogue in force, each as a line for the operator.
    package func differences(from current: Catalogue) -> [String] {
        let (old, new) = (current.items, items)
        let changes = new.flatMap { item in
            guard let before = old.first(where: { $0.name == item.name }) else {
                return ["\(item.name): new, \(item.figures.map { "\($0) \($1)" }.joined(separator: ", "))"]
            }
            return zip(before.figures, item.figures).compactMap { before, after in
                before.1 == after.1 ? nil : "\(item.name): \(after.0) \(before.1) → \(after.1)"
            }
        }
        let removed = old.filter { before in !new.contains { $0.name == before.name } }
        return changes + removed.map { "\($0.name): removed" }
    }

    private var items: [CatalogueItem] {
        foods.map(\.item) + cosmetics.map(\.item)
            + RecoveryKind.allCases.map { terms(of: $0).item(name: $0.rawValue) }
    }
}

/// A food, a cosmetic or a recovery as names and texts. Items of one kind have the same names in the same order.
private struct CatalogueItem {
    let name: String
    let figures: [(String, String)]
}

extension Food {
    fileprivate var item: CatalogueItem {
        let own: [(String, String)] = [
            ("title", title), ("species", species.rawValue), ("energy", "\(figures.energy)"),
            ("fullness", "\(figures.fullness)"), ("mood", "\(figures.mood)"),
            ("buff", decimalText(figures.buff)), ("animation", animation ?? "-"),
        ]
        return CatalogueItem(
            name: "food \(id)",
            figures: own
                + Species.allCases.flatMap { species in
                    let override = overrides[species] ?? FoodOverride()
                    return override.figures.map { ("\(species.rawValue) \($0)", $1) }
                })
    }
}

extension FoodOverride {
    fileprivate var figures: [(String, String)] {
        [
            ("energy", text(energy)), ("fullness", text(fullness)), ("mood", text(mood)),
            ("buff", buff.map(decimalText) ?? "-"), ("animation", animation ?? "-"),
        ]
    }
}

extension Cosmetic {
    fileprivate var item: CatalogueItem {
        CatalogueItem(
            name: "cosmetic \(id)",
            figures: [
                ("title", title), ("category", category), ("energy", text(energy)), ("gems", text(gems)),
                ("from", from.map { isoText(instant: $0) } ?? "-"),
                ("to", to.map { isoText(instant: $0) } ?? "-"), ("retired", "\(isRetired)"),
            ])
    }
}

extension RecoveryTerms {
    fileprivate func item(name: String) -> CatalogueItem {
        CatalogueItem(
            name: name,
            figures: [
                ("gems", "\(gems)"), ("pause_hours", "\(pauseHours)"), ("count", text(count)),
                ("window_days", text(windowDays)), ("fragile_days", text(fragileDays)),
                ("free_after_days", text(freeAfterDays)),
            ])
    }
}

private func text(_ value: Int?) -> String { value.map(String.init) ?? "-" }

/// Thousandths as a decimal: `0.025`, `0.1`, `0`.
package func decimalText(_ thousandths: Thousandths) -> String {
    let sign = thousandths < 0 ? "-" : ""
    var digits = String(1_000 + thousandths.magnitude % 1_000).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(sign)\(thousandths.magnitude / 1_000)\(digits.isEmpty ? "" : ".")\(digits)"
}
