import CompanionAPI
import DaylyAPI
import FeatureKit
import Foundation
import HTTPKit
import Hummingbird
import PhoneService

/// `POST /v1/companion/sync`.
struct CompanionSyncRoutes: Sendable {
    let service: CompanionSyncService

    var routes: [Route] { [Route(.post, "companion/sync", use: sync)] }

    private func sync(_ request: Request, _ context: AppContext) async throws -> Reply<CompanionSyncAnswer> {
        let user = try context.requireUser()
        let body = try await request.decodeJSON(
            CompanionSync.self, context: context, maxBytes: EventReportLimits.bytes)
        return Reply(CompanionSyncAnswer(try await service.sync(try CompanionSyncRequest(body), by: user)))
    }
}

extension CompanionSyncAnswer {
    init(_ result: CompanionSyncResult) {
        self.init(
            acknowledged: result.acknowledged,
            rejected: result.rejected.map { CompanionRejection(seq: $0.seq, reason: $0.reason.rawValue) },
            serverTime: Date(instant: result.owner.now),
            day: CompanionDay(result.day, openUntil: result.openUntil))
    }
}
