import FocusAPI
import DaylyAPI
import FeatureKit
import HTTPKit
import Hummingbird

/// `/v1/focus/pro`.
struct FocusProRoutes: Sendable {
    let service: FocusProService

    var routes: [Route] { [Route(.post, "focus/pro", use: redeem)] }

    private func redeem(_ request: Request, _ context: AppContext) async throws -> Reply<FocusPro> {
        let user = try context.requireUser()
        let body = try await request.decodeJSON(FocusPurchase.self, context: context)
        return Reply(FocusPro(proUntil: try await service.redeem(body.signedTransaction, by: user)))
    }
}
