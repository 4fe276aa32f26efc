import CompanionAPI
import DaylyAPI
import FeatureKit
import HTTPKit
import Hummingbird

/// `GET /v1/companion/flags`. Clients ask before their user has joined.
struct CompanionFlagRoutes: Sendable {
    let store: CompanionFlagStore

    var routes: [Route] { [Route(.get, "companion/flags", use: list)] }

    private func list(
        _ request: Request, _ context: AppContext
    ) async throws -> ConditionalJSON<CompanionFlags> {
        _ = try context.requireUser()
        let flags = try await store.all()
        return ConditionalJSON(
            CompanionFlags(flags: flags.map { CompanionFlag(key: $0.key, enabled: $0.isEnabled) }))
    }
}
