import CompanionRules
import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import KeyDerivation
import StoreReceipts
import StoreTesting
import Testing

@testable import Companion

@Suite("Gems by purchases")
struct CompanionPurchaseTests {
    @Test("a purchase is credited once, times its quantity, and gives the same answer again")
    func redeem() async throws {
        try await CompanionShopWorld.run { shop in
            let ada = try await shop.world.owner()
            let three = try shop.transaction("t1", for: ada, "gems_500", ["quantity": 3])
            for _ in 0..<2 {
                let answer = try await shop.redeem(three, ada)
                #expect(answer.status == 200 && answer.member("transaction_id") == "t1", "\(answer)")
                #expect(answer.wallet("gems") == 1_500 && answer.wallet("energy") == 0)
            }
            let other = try await shop.redeem(try shop.transaction("t2", for: ada), ada)
            #expect(other.wallet("gems") == 1_600)
            #expect(try await shop.ledger(ada) == ["purchase 1500 t1", "purchase 100 t2"])
            #expect(try await shop.world.total("companion_purchase") == 2)
        }
    }

    @Test("receipts that do not fit are 422")
    func invalid() async throws {
        try await CompanionShopWorld.run { shop in
            let (ada, bob) = (try await shop.world.owner(), try await shop.world.owner())
            let stranger = CompanionShopWorld(store: try TestAppStore(), world: shop.world)
            for (name, jws) in [
                ("nonsense", "nonsense"), ("another root", try stranger.transaction(for: ada)),
                ("another app", try shop.transaction(for: ada, "gems_100", ["bundleId": "app.other"])),
                ("sandbox", try shop.transaction(for: ada, "gems_100", ["environment": "Sandbox"])),
                ("another product", try shop.transaction(for: ada, "gems_101")),
                ("no quantity", try shop.transaction(for: ada, "gems_100", ["quantity": 0])),
                ("a negative quantity", try shop.transaction(for: ada, "gems_100", ["quantity": -1])),
                ("too many", try shop.transaction(for: ada, "gems_100", ["quantity": Int.max])),
                ("another user", try shop.transaction(for: bob)),
                ("no token", try shop.transaction(for: ada, "gems_100", ["appAccountToken": NSNull()])),
                ("another secret", try shop.transaction(for: ada, secret: Fixtures.otherSecret)),
                ("taken back", try shop.revoked("2", for: ada)),
            ] {
                let answer = try await shop.redeem(jws, ada)
                #expect(answer.status == 422 && answer.code == "invalid_receipt", "\(name): \(answer)")
            }
            #expect(try await shop.gems(ada) == 0)
            #expect(try await shop.redeem(try shop.transaction(for: ada), ada).status == 200)
        }
    }

    /// Guard: a known transaction needs no product that is still sold, and no token
    /// (`CompanionPurchaseService.isCounted`)
    @Test("what was credited stays so, and can be given back, when its product is not sold any more")
    func discontinued() async throws {
        try await CompanionShopWorld.run { shop in
            let ada = try await shop.world.owner()
            #expect(try await shop.redeem(try shop.transaction("t1", for: ada), ada).status == 200)
            let again = try await shop.redeem(try shop.transaction("t1", for: ada, "gems_101"), ada)
            #expect(again.status == 200 && again.wallet("gems") == 100, "\(again)")
            let back = try await shop.redeem(try shop.revoked("t1", for: ada, "gems_101"), ada)
            #expect(back.status == 200 && back.wallet("gems") == 0, "\(back)")
        }
    }

    /// Guard: a known transaction needs no product that is still sold, and no token
    /// (`CompanionPurchaseService.isCounted`)
    @Test(
        "what was credited stays so, and is not refused, when the secret of its token is not in force any more"
    )
    func secretThatWent() async throws {
        try await CompanionShopWorld.run { shop in
            let (ada, bob) = (try await shop.world.owner(), try await shop.world.owner())
            #expect(try await shop.redeem(try shop.transaction("t1", for: ada), ada).status == 200)
            let old = try shop.transaction("t1", for: ada, secret: Fixtures.otherSecret)
            for _ in 0..<25 {
                let answer = try await shop.redeem(old, ada)
                #expect(answer.status == 200 && answer.wallet("gems") == 100, "\(answer)")
            }
            #expect(try await shop.redeem(old, bob).code == "purchase_claimed")
            let other = try shop.transaction("t2", for: ada, secret: Fixtures.otherSecret)
            #expect(try await shop.redeem(other, ada).code == "invalid_receipt")
        }
    }

    /// Guard: the sandbox counts for reviewers, until the end of their last day, and in no total
    /// (`ReceiptVerifier.transaction(_:of:)`, `Accounts.isReviewer`, `CompanionPurchaseService.isCounted`)
    @Test("a tester's purchases of the sandbox are credited, and no total counts them")
    func tester() async throws {
        try await CompanionShopWorld.run(isTester: { _ in true }) { shop in
            let ada = try await shop.world.owner()
            let sandbox = try shop.transaction(for: ada, "gems_100", ["environment": "Sandbox"])
            #expect(try await shop.redeem(sandbox, ada).wallet("gems") == 100)
            #expect(try await shop.world.total("companion_purchase") == 0)
        }
    }

    @Test("without having joined one gets 409, whatever one sends")
    func notJoined() async throws {
        try await CompanionShopWorld.run { shop in
            let ada = try await shop.world.person()
            for jws in ["nonsense", try shop.transaction(for: ada)] {
                #expect(try await shop.redeem(jws, ada).code == "companion_not_joined")
            }
        }
    }

    @Test("in development purchases of the sandbox count, and tokens under a previous secret do everywhere")
    func development() async throws {
        let secrets = ServiceSecrets(Fixtures.otherSecret, previous: [Fixtures.secret])
        try await CompanionShopWorld.run(secrets: secrets, allowsSandbox: true) { shop in
            let ada = try await shop.world.owner()
            let sandbox = try shop.transaction(for: ada, "gems_100", ["environment": "Sandbox"])
            #expect(try await shop.redeem(sandbox, ada).status == 200)
        }
    }

    @Test("a transaction that is sent many times at once is credited once")
    func atTheSameTime() async throws {
        try await CompanionShopWorld.run { shop in
            let ada = try await shop.world.owner()
            let jws = try shop.transaction("t1", for: ada)
            let answers = try await atOnce(8) { _ in try await shop.redeem(jws, ada) }
            #expect(answers.allSatisfy { $0.status == 200 && $0.wallet("gems") == 100 }, "\(answers)")
            #expect(try await shop.ledger(ada) == ["purchase 100 t1"])
        }
    }

    @Test("a transaction counts for one account, of two at once too")
    func claimed() async throws {
        try await CompanionShopWorld.run { shop in
            let (ada, bob) = (try await shop.world.owner(), try await shop.world.owner())
            let signed = [(ada, try shop.transaction(for: ada)), (bob, try shop.transaction(for: bob))]
            let answers = try await atOnce(2) { try await shop.redeem(signed[$0].1, signed[$0].0) }
            #expect(answers.map(\.status).sorted() == [200, 409])
            #expect(answers.first { $0.status == 409 }?.code == "purchase_claimed")
            #expect(try await shop.gems(ada) + shop.gems(bob) == 100)
        }
    }

    /// Guard: a transaction is credited once, to one account, also after its account has left
    /// (`CompanionPurchaseService.isCounted`, `CompanionPurchaseStore.claim`)
    @Test("after leaving and rejoining a transaction pays nobody again, and the service keeps no id of it")
    func rejoining() async throws {
        try await CompanionShopWorld.run { shop in
            let ada = try await shop.world.owner()
            let jws = try shop.transaction("t1", for: ada)
            #expect(try await shop.redeem(jws, ada).status == 200)
            #expect(try await shop.world.call(.delete, "settings", as: ada).status == 204)
            #expect(try await shop.world.count("SELECT count(*) FROM companion_purchases") == 0)
            #expect(try await shop.world.count("SELECT count(*) FROM companion_claims") == 1)
            let joined = try await shop.world.call(
                .put, "settings", as: ada, #"{"consent": "1", "limit_minutes": 60}"#)
            #expect(joined.status == 200)
            let answer = try await shop.redeem(jws, ada)
            #expect(answer.status == 409 && answer.code == "purchase_claimed", "\(answer)")
            // The refund of what was credited to an earlier joining concerns nobody.
            try await shop.notifyRefund(of: jws)
            #expect(try await shop.redeem(try shop.revoked("t1", for: ada), ada).code == "purchase_claimed")
            #expect(try await shop.gems(ada) == 0)
        }
    }

    /// Guard: a claim is known under previous secrets (`CompanionPurchaseStore.known`)
    @Test("a claim under a previous secret is still known")
    func previousSecret() async throws {
        try await CompanionShopWorld.run { shop in
            let old = TransactionCodes.companion(Fixtures.otherSecret)
            let now = TransactionCodes.companion(
                ServiceSecrets(Fixtures.secret, previous: [Fixtures.otherSecret]))
            let claims = try await shop.world.postgres.transaction { tx in
                [
                    try CompanionPurchaseStore.claim(tx, old.codes(of: "t1"), isRefused: false),
                    try CompanionPurchaseStore.claim(tx, now.codes(of: "t1"), isRefused: true),
                    try CompanionPurchaseStore.claim(tx, now.codes(of: "t2"), isRefused: true),
                    try CompanionPurchaseStore.claim(tx, now.codes(of: "t2"), isRefused: false),
                ]
            }
            #expect(claims == [.new, .credited, .new, .refused])
        }
    }

    /// Guard: refused receipts are counted, and after twenty no receipt is looked at
    /// (`CompanionPurchaseService.redeem`)
    @Test("after twenty refused receipts in an hour further calls are 429")
    func limit() async throws {
        try await CompanionShopWorld.run { shop in
            let (ada, bob) = (try await shop.world.owner(), try await shop.world.owner())
            let good = try shop.transaction(for: ada)
            #expect(try await shop.redeem(good, ada).status == 200)
            let answers = try await atOnce(30) { _ in try await shop.redeem("nonsense", ada) }
            #expect(answers.filter { $0.status == 422 }.count == 20)
            #expect(answers.filter { $0.status == 429 }.count == 10)
            let refused = try await shop.redeem(good, ada)
            #expect(refused.status == 429 && refused.header("RateLimit") != nil)
            #expect(try await shop.redeem("nonsense", bob).status == 422)
            try await shop.world.clock.advance(by: .hours(1))
            #expect(try await shop.redeem(good, ada).status == 200)
        }
    }
}
