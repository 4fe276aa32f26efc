import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import Postgres
import StoreTesting
import Testing

@testable import Companion

@Suite("Purchases of gems beside others")
struct CompanionPurchaseRaceTests {
    /// Every credit is counted in its last statement, so that one waits here while everything else is done.
    private static let lastStatement: SQL = "LOCK TABLE analytics_additions IN SHARE MODE"

    /// Begins the first call, which stops before its end, then the second one, which has to wait for it, and lets both go on.
    private static func overlap(
        _ shop: CompanionShopWorld, _ first: @escaping @Sendable () async throws -> HTTPAnswer,
        _ second: @escaping @Sendable () async throws -> HTTPAnswer
    ) async throws -> [HTTPAnswer] {
        let postgres = shop.world.postgres
        let calls = try await postgres.holding(lastStatement) {
            let first = Task { try await first() }
            try await postgres.untilWaiting(1)
            let second = Task { try await second() }
            try await postgres.untilWaiting(2)
            return [first, second]
        }
        var answers: [HTTPAnswer] = []
        for call in calls { answers.append(try await call.value) }
        return answers
    }

    /// Guard: a refund that meets its credit, or its owner's leaving, is tried again
    /// (`CompanionPurchaseService.take`, `CompanionRefunds.refund`)
    @Test("a refund that comes while its purchase is being credited takes the gems back")
    func refundOfCredit() async throws {
        try await CompanionShopWorld.run { shop in
            let ada = try await shop.world.owner()
            let jws = try shop.transaction("t1", for: ada)
            let notice = try shop.store.notification("REFUND", about: jws)
            let answers = try await Self.overlap(shop) {
                try await shop.redeem(jws, ada)
            } _: {
                try await shop.notify(notice)
            }
            #expect(answers.map(\.status) == [200, 204], "\(answers)")
            #expect(try await shop.ledger(ada) == ["purchase 100 t1", "refund -100 t1"])
        }
    }

    /// Guard: a transaction is credited once, to one account, also after its account has left
    /// (`CompanionPurchaseService.isCounted`, `CompanionPurchaseStore.claim`)
    @Test("of two accounts that send one transaction the later one waits, and is refused")
    func twoAccounts() async throws {
        try await CompanionShopWorld.run { shop in
            let (ada, bob) = (try await shop.world.owner(), try await shop.world.owner())
            let (one, other) = (try shop.transaction("t1", for: ada), try shop.transaction("t1", for: bob))
            let answers = try await Self.overlap(shop) {
                try await shop.redeem(one, ada)
            } _: {
                try await shop.redeem(other, bob)
            }
            #expect(answers.map(\.status) == [200, 409], "\(answers)")
            #expect(answers.last?.code == "purchase_claimed")
            #expect(try await shop.redeem(other, bob).code == "purchase_claimed")
            #expect(try await shop.gems(bob) == 0)
        }
    }

    /// Guard: a refund that meets its credit, or its owner's leaving, is tried again
    /// (`CompanionPurchaseService.take`, `CompanionRefunds.refund`)
    @Test("a refund whose owner leaves meanwhile concerns nobody")
    func leaving() async throws {
        try await CompanionShopWorld.run { shop in
            let ada = try await shop.world.owner()
            let jws = try shop.transaction("t1", for: ada)
            #expect(try await shop.redeem(jws, ada).status == 200)
            let notice = try shop.store.notification("REFUND", about: jws)
            let postgres = shop.world.postgres
            let leave: SQL = "DELETE FROM companion_settings WHERE user_id = \(ada.id)"
            let refund = try await postgres.holding(leave) {
                let refund = Task { try await shop.notify(notice) }
                try await postgres.untilWaiting()
                return refund
            }
            let answer = try await refund.value
            #expect(answer.status == 204, "\(answer)")
            #expect(try await shop.world.count("SELECT count(*) FROM companion_ledger") == 0)
        }
    }
}
