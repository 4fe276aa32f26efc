import FocusAPI
import DaylyAPI
import FeatureKit
import HTTPKit
import Hummingbird

/// `/v1/focus/tutorial`.
struct FocusTutorialRoutes: Sendable {
    let tutorial: FocusTutorial

    var routes: [Route] { [Route(.post, "focus/tutorial", use: finish)] }

    private func finish(_ request: Request, _ context: AppContext) async throws -> Reply<FocusEarnings> {
        let totals = try await tutorial.finish(by: context.requireUser())
        return Reply(FocusEarnings(xp: totals.xp, coins: totals.coins))
    }
}
