import CompanionAPI
import CompanionRules
import DaylyAPI
import FeatureKit
import HTTPKit
import Hummingbird

/// `GET /v1/companion/catalog`.
struct CompanionCatalogueRoutes: Sendable {
    let service: CompanionCatalogueService

    var routes: [Route] { [Route(.get, "companion/catalog", use: catalogue)] }

    private func catalogue(
        _ request: Request, _ context: AppContext
    ) async throws -> ConditionalJSON<CompanionCatalog> {
        let view = try await service.catalogue(for: context.requireUser())
        return ConditionalJSON(
            CompanionCatalog(
                version: view.version,
                foods: view.catalogue.foods(for: view.species).map { CompanionFood($0, for: view.species) },
                cosmetics: view.cosmetics.map(CompanionCosmetic.init),
                recovery: CompanionRecovery(view.recovery)))
    }
}

extension CompanionFood {
    /// - Parameter species: of the user's pet; nil: the figures without overrides.
    init(_ food: Food, for species: Species?) {
        let figures = food.figures(for: species)
        self.init(
            id: food.id, title: food.title, species: food.species.rawValue, energy: figures.energy,
            fullness: figures.fullness, mood: figures.mood, buff: Double(figures.buff) / 1_000,
            animation: food.animation(for: species))
    }
}
