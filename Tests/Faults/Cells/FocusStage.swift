import FocusAPI
import DaylyTesting
import Foundation
import Postgres
import ProgramTesting
import StoreTesting

/// A world with a running service and people with phones in Focus. Photos have no part in it.
struct FocusStage: ActingStage {
    static let product = "app.dayly.pro.year"

    let world: World
    let instance: Instance
    let store: TestAppStore
    let people: [FocusPerson]
    /// Acts lie in the hours before it.
    let start = Date()

    /// Runs `body`, and says what was found.
    static func run(
        people count: Int = 24, _ body: @escaping @Sendable (FocusStage) async throws -> Void
    ) async throws -> Outcome {
        let settings = [
            "features": "photos,focus", "database.max_connections": "40", "focus.pro_products": product,
        ]
        return try await World.runWithStore(settings) { world, store in
            let instance = try world.instance()
            try await instance.start()
            let url = instance.url
            let people = try await atOnce(count) { try await FocusPerson.join(world, $0, at: url) }
            try await body(
                FocusStage(world: world, instance: instance, store: store, people: people))
            try await instance.kill9()
            return world.actOutcome
        }
    }

    /// The instant so many minutes after the beginning of an act. Acts of a person are 40 minutes apart, and the first lies
    /// almost seven days back, so that all are over.
    func time(_ minutes: Int, inAct number: Int) -> String {
        start.addingTimeInterval(Double(60 * (minutes + 40 * number)) - 6.5 * 86_400).ISO8601Format()
    }
}

extension World {
    /// The findings in the history and in the logs.
    var actOutcome: Outcome {
        let checker = Checker(entries: history.entries, observations: history.observations)
        return Outcome(
            findings: checker.findings + Checker.findings(inLog: logs, messages: inbox.messages),
            remarks: history.remarks)
    }

    func broken(_ text: String) { history.note(.broken(invariant: 10, text)) }

    /// A number for each user. The first column has the user as text.
    func numbers(_ sql: SQL) async throws -> [String: Int] {
        try await database.client.query(sql).reduce(into: [:]) {
            $0[try $1.get("user_id", as: String.self)] = try $1.get("number")
        }
    }
}
