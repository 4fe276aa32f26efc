import DaylyAPI
import DaylyTesting
import Foundation
import Postgres
import StoreTesting

/// An act of a person of Companion.
struct CompanionAct: InterruptedAct {
    /// Makes the situation of the act.
    var situate: @Sendable (CompanionStage, CompanionPerson) async throws -> Void = { _, _ in }
    let perform: @Sendable (CompanionStage, CompanionPerson, Int) async -> Bool
    let check: @Sendable (CompanionStage) async throws -> Void

    func prepare(_ stage: CompanionStage, _ people: [CompanionPerson]) async throws {
        for person in people { try await situate(stage, person) }
    }
}

extension CompanionAct {
    /// A meal of 25 energy. Everybody needs 150 energy for every six acts.
    static let meal = CompanionAct { _, person, number in
        let food = #"{"item_id": "kibble"}"#
        return await person.call("POST", "pet/feed", food, key: "meal-\(number)")?.status == 200
    } check: { stage in
        let meals = try await stage.entries("food", of: "kibble")
        for person in stage.people {
            let (acts, pet) = (person.acts, try await person.pet())
            stage.expect(meals[person.client.id] ?? 0, acts, "meals in the ledger")
            stage.expect(pet.fedEnergy, 25 * acts, "energy of eaten food")
            stage.expect(pet.fullness, min(100, 50 + 10 * acts), "fullness")
            stage.expect(
                try await person.wallet().energy, stage.paid - 25 * acts, "energy after \(acts) meals")
        }
        try await stage.expectTotals(["food": stage.acts])
    }

    /// A cure of a pet that the stage has made sick. Everybody needs 120 gems for each.
    static let cure = CompanionAct { stage, person in
        if person.acts == 0 { try await person.buyGems(in: stage.store) }
        for statement in CompanionStage.sickness(of: person.client.id) {
            try await stage.world.database.client.execute(statement)
        }
    } perform: { _, person, number in
        await person.call("POST", "pet/cure", "{}", key: "cure-\(number)")?.status == 200
    } check: { stage in
        let cures = try await stage.entries("cure")
        let pauses = try await stage.world.numbers(
            "SELECT user_id::text, count(*) AS number FROM companion_recoveries GROUP BY user_id")
        for person in stage.people {
            let (acts, pet) = (person.acts, try await person.pet())
            stage.expect(cures[person.client.id] ?? 0, acts, "cures in the ledger")
            stage.expect(pauses[person.client.id] ?? 0, acts, "cures that pauses look at")
            stage.expect(pet.health, "healthy", "health after a cure")
            stage.expect(try await person.wallet().gems, 2_500 - 120 * acts, "gems after \(acts) cures")
        }
        try await stage.expectTotals([
            "cure": stage.acts, "healthy": stage.acts, "purchase": stage.people.count,
        ])
    }

    /// The energy of a day, of which both phones of the owner send a last report.
    static let award = CompanionAct { _, person in
        try await person.endDay()
    } perform: { _, person, number in
        for phone in 0...1 {
            guard await person.report(60, byPhone: phone, number)?.status == 200 else { return false }
        }
        return true
    } check: { stage in
        let awards = try await stage.entries("award")
        let closed = try await stage.world.numbers(
            """
            SELECT user_id::text, count(*) AS number FROM companion_days
            WHERE closed_at IS NOT NULL AND energy = 75 AND reported_minutes = 60 GROUP BY user_id
            """)
        for person in stage.people {
            stage.expect(awards[person.client.id] ?? 0, person.acts, "awards in the ledger")
            stage.expect(closed[person.client.id] ?? 0, person.acts, "days that were closed")
            stage.expect(try await person.wallet().energy, 75 * person.acts, "energy of \(person.acts) days")
        }
    }

    /// A purchase of 100 gems.
    static let purchase = CompanionAct { stage, person, number in
        let bought = try? person.body("purchase \(number)") { try person.purchase(number, in: stage.store) }
        return await person.call("POST", "purchases", bought)?.status == 200
    } check: { stage in
        let purchases = try await stage.entries("purchase")
        for person in stage.people {
            stage.expect(purchases[person.client.id] ?? 0, person.acts, "purchases in the ledger")
            stage.expect(
                try await person.wallet().gems, 100 * person.acts, "gems of \(person.acts) purchases")
        }
        try await stage.expectTotals(["purchase": stage.acts])
    }

    /// The refund of a purchase. Half of the people get their money back by a notification of the store, the others by the
    /// transaction, which they send once more.
    static let refund = CompanionAct { stage, person in
        let bought = try person.purchase(person.acts + 1, in: stage.store)
        guard await person.call("POST", "purchases", bought)?.status == 200 else {
            throw ProxyError(description: "\(person.client.name) cannot buy gems")
        }
    } perform: { stage, person, number in
        let (product, isTold) = (CompanionStage.product(100), person.index % 2 == 0)
        let refund = try? person.body("refund \(number)") {
            try isTold
                ? person.refund("\(person.index)-\(number)", of: product, in: stage.store)
                : person.purchase(number, in: stage.store, isRevoked: true)
        }
        let answer = await person.call("POST", isTold ? "store-notifications" : "purchases", refund)
        return answer?.status == (isTold ? 204 : 200)
    } check: { stage in
        let refunds = try await stage.entries("refund")
        for person in stage.people {
            stage.expect(refunds[person.client.id] ?? 0, person.acts, "refunds in the ledger")
            stage.expect(try await person.wallet().gems, 0, "gems after \(person.acts) refunds")
        }
        try await stage.expectTotals(["purchase": stage.acts, "refund": stage.acts])
    }

    /// The end of a day, and the next look at the pet. Every second pet has been fed on the day. The first act ends the day of
    /// adoption, which counts for nothing.
    static let reset = CompanionAct { stage, person in
        if person.isFeeding {
            try await stage.world.database.client.execute(
                """
                UPDATE companion_pets SET food_energy = 100, food_buff = 50
                WHERE user_id = \(person.client.id)::uuid
                """)
        }
        try await person.endDay()
    } perform: { _, person, _ in
        await person.call("GET", "pet")?.status == 200
    } check: { stage in
        for person in stage.people {
            let (resets, pet) = (person.acts - 1, try await person.pet())
            let unfed = person.isFeeding ? 0 : min(resets, 7)
            stage.expect(pet.unfedDays, unfed, "unfed days in a row after \(resets) resets")
            stage.expect(pet.growth, person.isFeeding ? 105 * resets : 0, "growth by \(resets) resets")
            stage.expect(pet.health, unfed >= 7 ? "dead" : unfed >= 3 ? "sick" : "healthy", "health")
            // A dead pet is not reset any more.
            let counted = person.isFeeding ? resets : unfed
            stage.expect(pet.fullness, max(0, 50 - 30 * counted), "fullness after \(resets) resets")
            stage.expect(pet.mood, max(0, 5 - counted), "mood after \(resets) resets")
            stage.expect(pet.fedEnergy, 0, "energy of food on a new day")
        }
        let unfed = stage.people.filter { !$0.isFeeding }.map { $0.acts - 1 }
        try await stage.expectTotals([
            "sick": unfed.count { $0 >= 3 }, "dead": unfed.count { $0 >= 7 },
        ])
    }
}

extension CompanionPerson {
    /// Whether the pet is fed each day in the act of resets.
    fileprivate var isFeeding: Bool { index % 2 == 1 }

    /// The body of the purchase of 100 gems in the act of that number.
    fileprivate func purchase(_ number: Int, in store: TestAppStore, isRevoked: Bool = false) throws -> String
    {
        try purchase(
            "\(index)-\(number)", of: CompanionStage.product(100), in: store, isRevoked: isRevoked)
    }

    /// Buys the gems for many cures.
    fileprivate func buyGems(in store: TestAppStore) async throws {
        let body = try purchase("gems-\(index)", of: CompanionStage.product(2_500), in: store)
        guard await call("POST", "purchases", body)?.status == 200 else {
            throw ProxyError(description: "\(client.name) cannot buy gems")
        }
    }
}

extension CompanionStage {
    /// All acts of everybody.
    fileprivate var acts: Int { people.reduce(0) { $0 + $1.acts } }

    /// The number of entries of a kind in the ledger of each user.
    fileprivate func entries(_ kind: String, of ref: String? = nil) async throws -> [String: Int] {
        let referring: SQL = ref.map { "AND ref = \($0)" } ?? ""
        return try await world.numbers(
            """
            SELECT user_id::text, count(*) AS number FROM companion_ledger
            WHERE kind = \(kind) \(fragment: referring) GROUP BY user_id
            """)
    }

    fileprivate func expect<Value: Equatable>(_ found: Value, _ expected: Value, _ what: String) {
        if found != expected { world.broken("\(what): \(found) instead of \(expected)") }
    }

    /// Compares the service's counts of all users with what has happened.
    fileprivate func expectTotals(_ expected: [String: Int]) async throws {
        let totals = try await world.database.client.query(
            """
            SELECT name, sum(count)::bigint AS number FROM (
                SELECT name, count FROM analytics_totals UNION ALL SELECT name, count FROM analytics_additions
            ) AS counts
            WHERE name LIKE 'companion%' GROUP BY name
            """
        ).reduce(into: [:]) { totals, row in
            totals[try row.get("name", as: String.self)] = try row.get("number", as: Int.self)
        }
        for (name, count) in expected { expect(totals["companion_\(name)"] ?? 0, count, "counted \(name)") }
    }

    /// A pet becomes sick, and the cures before lie so far back that they do not count.
    fileprivate static func sickness(of user: String) -> [SQL] {
        [
            """
            UPDATE companion_recoveries SET at = at - interval '31 days' WHERE user_id = \(user)::uuid
            """,
            """
            UPDATE companion_pets SET health = 'sick', unfed_days = 3, last_fed = 0
            WHERE user_id = \(user)::uuid
            """,
        ]
    }
}
