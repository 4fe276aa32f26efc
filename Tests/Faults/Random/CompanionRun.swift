import DaylyAPI
import DaylyTesting
import Foundation
import Postgres
import ProgramTesting
import StoreTesting

/// Many people of Companion on several instances, while processes are killed. Afterwards every call that was accepted has had
/// its effect once, and all balances are the sums of their ledgers.
package struct CompanionRun: Sendable {
    /// The outcome.
    package struct Report: Sendable {
        package let findings: [Finding]
        package let calls: Int
        package let lost: Int
        package let unavailable: Int
        package let kills: Int
        /// The changes of wallets, which each have an entry in a ledger or a recovery.
        package let changes: Int

        package var summary: String {
            """
            \(calls) calls, \(changes) changes by acts, \(lost) answers lost, \(unavailable) times 503, \(kills) kills
            """
        }
    }

    private let plan: CompanionPlan
    private let counts = CompanionCaller.Counts()

    package init(_ plan: CompanionPlan) { self.plan = plan }

    package func run(progress: @escaping @Sendable (String) -> Void = { _ in }) async throws -> Report {
        let settings = CompanionStage.settings.merging([
            // Longer than any run.
            "auth.access_token_lifetime": "6h", "log.level": "warning",
            "sms.limits.per_minute": "1000000", "sms.limits.per_day": "1000000",
        ]) { $1 }
        return try await World.runWithStore(settings) { world, store in
            // Fifty operations a second and more; a day that ends by itself is in no model.
            try await world.awaitRoomBeforeMidnight(120 + Double(plan.operations) / 50)
            let servers = try await Servers.start(plan.instances, in: world)
            let gate = Gate(places: 16)
            let players = try await atOnce(plan.people) {
                try await enter(world, $0, servers, gate, store)
            }
            progress("\(players.count) people")
            let models = try await play(players, world, servers, progress)
            await servers.finish()
            try await compare(models, in: world)
            try await world.checkCompanion()
            return try await report(world, servers, models)
        }
    }

    private func enter(
        _ world: World, _ index: Int, _ servers: Servers, _ gate: Gate, _ store: TestAppStore
    ) async throws -> CompanionPlayer {
        let person = try await CompanionPerson.join(world, index, at: servers.url)
        try await person.adopt()
        let caller = CompanionCaller(person: person, servers: servers, gate: gate, counts: counts)
        return CompanionPlayer(
            caller: caller, store: store, model: CompanionModel(pet: try await person.pet()))
    }

    /// Everybody takes the next operation when they have done with their last.
    ///
    /// - Returns: the model of each user.
    private func play(
        _ players: [CompanionPlayer], _ world: World, _ servers: Servers,
        _ progress: @escaping @Sendable (String) -> Void
    ) async throws -> [String: CompanionModel] {
        let next = Counter(-1)
        let models = try await atOnce(players.count) { index in
            var player = players[index]
            while true {
                let number = next.increment()
                guard number < plan.operations else { return (player.person.client.id, player.model) }
                for index in plan.killed(at: number) { servers.kill(index) }
                if (number + 1) % max(plan.operations / 20, 500) == 0 {
                    try await world.checkCompanion()
                    progress("\(number + 1) operations begun")
                }
                try await player.play(plan.turn(number))
            }
        }
        return Dictionary(uniqueKeysWithValues: models)
    }

    /// Compares the tables with the answers: each act that was accepted is there once, and nothing else.
    private func compare(_ models: [String: CompanionModel], in world: World) async throws {
        var found: [String: [String: Int]] = [:]
        for row in try await world.database.client.query(Self.changes) {
            found[try row.get("user_id"), default: [:]][try row.get("change")] = try row.get("number")
        }
        for (user, model) in models where found[user] ?? [:] != model.changes {
            let (stored, accepted) = (
                Set((found[user] ?? [:]).map(Self.line)), Set(model.changes.map(Self.line))
            )
            world.broken(
                "stored, but not accepted: \(stored.subtracting(accepted).sorted()); accepted, but not stored: "
                    + "\(accepted.subtracting(stored).sorted()), of \(user)")
        }
    }

    private static func line(_ change: (key: String, value: Int)) -> String {
        "\(change.key) × \(change.value)"
    }

    private static let changes: SQL = """
        SELECT user_id::text, kind || ' ' || ref AS change, count(*) AS number FROM companion_ledger
        WHERE kind IN ('food', 'cosmetic', 'purchase', 'refund', 'rollback') GROUP BY user_id, kind, ref
        UNION ALL
        SELECT user_id::text, kind, count(*) FROM companion_recoveries GROUP BY user_id, kind
        """

    private func report(
        _ world: World, _ servers: Servers, _ models: [String: CompanionModel]
    ) async throws -> Report {
        for instance in servers.all { try await instance.kill9() }
        return Report(
            findings: world.actOutcome.findings, calls: counts.calls.value, lost: counts.lost.value,
            unavailable: counts.unavailable.value, kills: servers.kills.value,
            changes: models.values.reduce(0) { $0 + $1.changes.values.reduce(0, +) })
    }
}
