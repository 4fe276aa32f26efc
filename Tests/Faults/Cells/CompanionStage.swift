import DaylyTesting
import Foundation
import Postgres
import ProgramTesting
import StoreTesting

/// A world with a running service and people who have pets in Companion. Photos have no part in it.
struct CompanionStage: ActingStage {
    /// The product with that number of gems.
    static func product(_ gems: Int) -> String { "gems_\(gems)" }

    let world: World
    let instance: Instance
    let store: TestAppStore
    let people: [CompanionPerson]
    /// The energy that everybody had at the beginning.
    let paid: Int

    /// Runs `body`, and says what was found.
    ///
    /// - Parameter days: how many days everybody has been paid for before they adopt a pet.
    static func run(
        people count: Int = 24, paid days: Int = 0,
        _ body: @escaping @Sendable (CompanionStage) async throws -> Void
    ) async throws -> Outcome {
        let settings = settings.merging(["database.max_connections": "40"]) { $1 }
        return try await World.runWithStore(settings) { world, store in
            try await world.awaitRoomBeforeMidnight()
            let instance = try world.instance()
            try await instance.start()
            let url = instance.url
            let people = try await atOnce(count) { try await enter(world, $0, at: url, paid: days) }
            let stage = CompanionStage(
                world: world, instance: instance, store: store, people: people, paid: 150 * days)
            try await body(stage)
            try await stage.checkBalances()
            try await instance.kill9()
            return world.actOutcome
        }
    }

    /// The settings of every world of Companion.
    static let settings = ["features": "photos,companion"]

    private static func enter(
        _ world: World, _ index: Int, at url: String, paid days: Int
    ) async throws -> CompanionPerson {
        let person = try await CompanionPerson.join(world, index, at: url)
        try await person.earn(days: days)
        try await person.adopt()
        return person
    }

    /// Notes balances that are not the sums of their ledgers, in the tables and in the answers.
    private func checkBalances() async throws {
        try await world.checkCompanion()
        for person in people {
            let (wallet, ledger) = (try await person.wallet(), try await person.ledger())
            for (currency, balance) in [("energy", wallet.energy), ("gems", wallet.gems)] {
                let entries = ledger.filter { $0.currency == currency }
                let sum = entries.reduce(0) { $0 + $1.amount }
                if balance != sum || balance != entries.first?.balance ?? 0 {
                    world.broken("\(balance) \(currency) are \(sum) by the ledger that the service shows")
                }
            }
        }
    }
}
