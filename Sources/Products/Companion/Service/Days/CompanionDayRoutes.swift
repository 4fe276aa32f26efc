import CompanionAPI
import CivilTime
import CompanionRules
import DaylyAPI
import FeatureKit
import HTTPKit
import Hummingbird
import PhoneService

/// `/v1/companion/day` and `/v1/companion/days`.
struct CompanionDayRoutes: Sendable {
    let reader: CompanionDayReader

    var routes: [Route] {
        [
            Route(.get, "companion/day", use: showRunning),
            Route(.get, "companion/days/:day", use: show),
        ]
    }

    private func showRunning(
        _ request: Request, _ context: AppContext
    ) async throws -> ConditionalJSON<CompanionDay> {
        ConditionalJSON(try await reader.get(of: context.requireUser()))
    }

    private func show(_ request: Request, _ context: AppContext) async throws -> ConditionalJSON<CompanionDay>
    {
        let user = try context.requireUser()
        // A name that is not a date is answered as a date without a day.
        let day = CivilDate.dayNumber(try context.requireParameter("day")) ?? 0
        return ConditionalJSON(try await reader.get(day, of: user))
    }
}
