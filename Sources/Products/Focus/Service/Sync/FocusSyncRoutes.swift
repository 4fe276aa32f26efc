import FocusAPI
import DaylyAPI
import DeviceIntake
import FeatureKit
import FocusRules
import Foundation
import HTTPKit
import Hummingbird
import PhoneService

/// `POST /v1/focus/sync`.
struct FocusSyncRoutes: Sendable {
    let service: FocusSyncService

    var routes: [Route] { [Route(.post, "focus/sync", use: sync)] }

    private func sync(_ request: Request, _ context: AppContext) async throws -> Reply<FocusSyncAnswer> {
        let user = try context.requireUser()
        let body = try await request.decodeJSON(
            FocusSync.self, context: context, maxBytes: EventReportLimits.bytes)
        return Reply(FocusSyncAnswer(try await service.sync(try FocusSyncRequest(body), by: user)))
    }
}

extension FocusSyncAnswer {
    init(_ result: FocusSyncResult) {
        self.init(
            acknowledged: result.acknowledged,
            rejected: result.rejected.map { FocusRejection(seq: $0.seq, reason: $0.reason.rawValue) },
            others: result.others.events.map(FocusOtherEvent.init), cursor: result.others.cursor.text,
            hasMore: result.others.hasMore, serverTime: Date(instant: result.now.member.now),
            now: FocusNow(result.now))
    }
}

extension FocusOtherEvent {
    init(_ other: FocusOtherEvents.Event) {
        let event = other.event
        let at = Date(instant: event.at)
        switch event.content {
        case .lock(let source):
            self.init(
                seq: event.seq, kind: "lock", at: at, source: source.rawValue, device: other.device)
        case .unlock(let source, _):
            self.init(
                seq: event.seq, kind: "unlock", at: at, source: source.rawValue, device: other.device)
        case .open:
            self.init(
                seq: event.seq, kind: "open", at: at, intentionID: other.intention.map(ResourceID.init),
                device: other.device)
        case .usage(let day, let minutes, let isFinal):
            self.init(
                seq: event.seq, kind: "usage", at: at, day: isoText(day: day), minutes: minutes,
                final: isFinal, device: other.device)
        }
    }
}
