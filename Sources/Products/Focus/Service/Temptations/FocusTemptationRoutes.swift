import FocusAPI
import DaylyAPI
import FeatureKit
import FocusRules
import HTTPKit
import Hummingbird
import Postgres

/// `/v1/focus/temptations`.
struct FocusTemptationRoutes: Sendable {
    let postgres: PostgresClient
    let service: FocusTemptationService

    var routes: [Route] {
        [Route(.get, "focus/temptations", use: get), Route(.put, "focus/temptations", use: put)]
    }

    private func get(
        _ request: Request, _ context: AppContext
    ) async throws -> ConditionalJSON<FocusTemptations> {
        let user = try context.requireUser()
        let state = try await postgres.transaction { tx in try service.require(tx, user) }
        return ConditionalJSON(FocusTemptations(state))
    }

    private func put(_ request: Request, _ context: AppContext) async throws -> Reply<FocusTemptations> {
        let user = try context.requireUser()
        let body = try await request.decodeJSON(FocusTemptationSettings.self, context: context)
        let wishes = try TemptationWishes(body)
        let state = try await postgres.transaction { tx in try service.put(tx, wishes, by: user) }
        return Reply(FocusTemptations(state))
    }
}

extension FocusTemptations {
    fileprivate init(_ state: TemptationState) {
        let wishes = state.wishes
        self.init(
            enabled: wishes.isEnabled, intensity: wishes.intensity.rawValue, quietFrom: wishes.quiet?.from,
            quietTo: wishes.quiet?.to, sent: state.sent.sent, resisted: state.sent.resisted)
    }
}

extension TemptationWishes {
    /// - Throws: 400 that points at the faulty member.
    init(_ body: FocusTemptationSettings) throws(Problem) {
        self.init()
        isEnabled = body.enabled ?? isEnabled
        if let text = body.intensity {
            guard let wanted = TemptationIntensity(rawValue: text) else {
                throw .invalidRequest(pointer: "/intensity", detail: "must be low, medium or high")
            }
            intensity = wanted
        }
        quiet = try Self.quiet(body, default: quiet)
    }

    private static func quiet(
        _ body: FocusTemptationSettings, default usual: QuietTimes?
    ) throws(Problem) -> QuietTimes? {
        switch (body.quietFrom, body.quietTo) {
        case (nil, nil): return usual
        case (let from?, let to?):
            guard from.wrappedValue != nil || to.wrappedValue != nil else { return nil }
            let (begin, end) = (try time(from, "/quiet_from"), try time(to, "/quiet_to"))
            guard begin != end else {
                throw .invalidRequest(pointer: "/quiet_to", detail: "must differ from quiet_from")
            }
            return QuietTimes(from: begin, to: end)
        case (nil, _): throw .invalidRequest(pointer: "/quiet_from", detail: "must come with quiet_to")
        case (_, nil): throw .invalidRequest(pointer: "/quiet_to", detail: "must come with quiet_from")
        }
    }

    private static func time(_ value: Nullable<String>, _ pointer: String) throws(Problem) -> String {
        guard let text = value.wrappedValue, text.wholeMatch(of: /([01][0-9]|2[0-3]):[0-5][0-9]/) != nil
        else {
            throw .invalidRequest(pointer: pointer, detail: "must be a time such as 22:00")
        }
        return text
    }
}
