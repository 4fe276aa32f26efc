import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import KeyDerivation
import Postgres
import StoreReceipts
import StoreTesting
import Testing

@testable import Focus

@Suite("Focus Pro by purchases")
struct FocusProTests {
    private static let product = "app.dayly.pro.year"

    private struct Shop: Sendable {
        let store: TestAppStore
        let world: FocusWorld

        /// A signed transaction of a user.
        func transaction(
            _ id: String = "1", for person: Person, until end: String? = "2026-04-02T12:00:00Z",
            _ members: [String: any Sendable] = [:], secret: some SecretSource = Fixtures.secret
        ) throws -> String {
            var all: [String: any Sendable] = [
                "transactionId": id, "productId": FocusProTests.product,
                "appAccountToken": AppAccountToken(secret: secret).make(for: person.id.rawValue).uuidString,
            ]
            if let end { all["expiresDate"] = TestAppStore.milliseconds(try FocusWorld.date(end)) }
            return try store.transaction(all.merging(members) { $1 })
        }

        func redeem(_ jws: String, _ person: Person) async throws -> HTTPAnswer {
            try await world.call(.post, "pro", as: person, #"{"signed_transaction": "\#(jws)"}"#)
        }

        /// The same transaction after the store has taken it back.
        func revoked(_ id: String = "1", for person: Person) throws -> String {
            try transaction(id, for: person, ["revocationDate": 1_772_445_600_000])
        }

        /// The store tells the service about a transaction.
        func notify(_ type: String, about jws: String) async throws {
            let receipts = try store.verifier(secret: Fixtures.secret)
            try await world.feature.take(
                try await receipts.notification(store.notification(type, about: jws)))
        }

        func end(_ person: Person) async throws -> String? {
            try await world.call(.get, "now", as: person).text("pro_until")
        }
    }

    private func run(
        secrets: ServiceSecrets = Fixtures.secret.secrets, allowsSandbox: Bool = false,
        isTester: @escaping @Sendable (UUID) async throws -> Bool = { _ in false },
        _ body: @escaping @Sendable (Shop) async throws -> Void
    ) async throws {
        let store = try TestAppStore()
        try await FocusWorld.run(
            receipts: try store.verifier(allowsSandbox: allowsSandbox, secret: secrets, isTester: isTester),
            settings: { $0.proProducts = ["app.dayly.pro.month", Self.product] }
        ) { world in try await body(Shop(store: store, world: world)) }
    }

    /// Guard: a transaction counts for one account, and Pro never ends earlier by it
    /// (`FocusProService.count`, `FocusProStore.refresh`)
    @Test("a purchase raises the end of Pro, never lowers it, and gives the same answer again")
    func redeem() async throws {
        try await run { shop in
            let ada = try await shop.world.member()
            let profile = try await shop.world.call(.get, "profile", as: ada)
            let token = AppAccountToken(secret: Fixtures.secret).make(for: ada.id.rawValue)
            #expect(profile.text("app_account_token") == token.uuidString.lowercased())
            let year = try shop.transaction("1", for: ada)
            for _ in 0..<2 {
                let answer = try await shop.redeem(year, ada)
                #expect(
                    answer.status == 200 && answer.text("pro_until") == "2026-04-02T12:00:00Z", "\(answer)")
            }
            let earlier = try shop.transaction("2", for: ada, until: "2026-03-20T12:00:00Z")
            #expect(try await shop.redeem(earlier, ada).text("pro_until") == "2026-04-02T12:00:00Z")
            let later = try shop.transaction("3", for: ada, until: "2026-05-02T12:00:00Z")
            #expect(try await shop.redeem(later, ada).text("pro_until") == "2026-05-02T12:00:00Z")
            let now = try await shop.world.call(.get, "now", as: ada)
            #expect(now.text("pro_until") == "2026-05-02T12:00:00Z")
            #expect(try await shop.world.start(ada, beast: true).status == 201)
            try await shop.world.set("2026-05-02T12:00:00Z")
            #expect(try await shop.world.call(.post, "freeze", as: ada).code == "pro_required")
        }
    }

    /// Guard: a purchase is of a known product, of the account, and not taken back (`FocusProService`)
    @Test("receipts that do not fit are 422")
    func invalid() async throws {
        try await run { shop in
            let (ada, bob) = (try await shop.world.member(), try await shop.world.member())
            let stranger = Shop(store: try TestAppStore(), world: shop.world)
            for (name, jws) in [
                ("nonsense", "nonsense"), ("another root", try stranger.transaction(for: ada)),
                ("another app", try shop.transaction(for: ada, ["bundleId": "app.other"])),
                ("sandbox", try shop.transaction(for: ada, ["environment": "Sandbox"])),
                ("another product", try shop.transaction(for: ada, ["productId": "app.dayly.hat"])),
                ("no quantity", try shop.transaction(for: ada, ["quantity": 0])),
                ("another user", try shop.transaction(for: bob)),
                ("no token", try shop.transaction(for: ada, ["appAccountToken": NSNull()])),
                ("another secret", try shop.transaction(for: ada, secret: Fixtures.otherSecret)),
                ("no end", try shop.transaction(for: ada, until: nil)),
                ("taken back", try shop.transaction(for: ada, ["revocationDate": 1_772_445_600_000])),
            ] {
                let answer = try await shop.redeem(jws, ada)
                #expect(answer.status == 422 && answer.code == "invalid_receipt", "\(name): \(answer)")
            }
            #expect(try await shop.world.call(.get, "now", as: ada).text("pro_until") == "null")
            #expect(try await shop.redeem(try shop.transaction(for: ada), ada).status == 200)
        }
    }

    @Test("in development purchases of the sandbox count, and tokens under a previous secret do everywhere")
    func development() async throws {
        let secrets = ServiceSecrets(Fixtures.otherSecret, previous: [Fixtures.secret])
        try await run(secrets: secrets, allowsSandbox: true) { shop in
            let ada = try await shop.world.member()
            let sandbox = try shop.transaction(for: ada, ["environment": "Sandbox"])
            #expect(try await shop.redeem(sandbox, ada).status == 200)
        }
    }

    /// Guard: the sandbox counts for reviewers, until the end of their last day, and in no total
    /// (`ReceiptVerifier.transaction(_:of:)`, `Accounts.isReviewer`, `CompanionPurchaseService.isCounted`)
    @Test("a tester's purchases of the sandbox count")
    func tester() async throws {
        try await run(isTester: { _ in true }) { shop in
            let ada = try await shop.world.member()
            let sandbox = try shop.transaction(for: ada, ["environment": "Sandbox"])
            #expect(try await shop.redeem(sandbox, ada).status == 200)
        }
    }

    /// Guard: a subscription needs no token once the account has a transaction of it (`FocusProStore.owner`,
    /// `FocusProStore.renews`)
    @Test("a subscription goes on, and is not refused, when the secret of its token is not in force any more")
    func secretThatWent() async throws {
        try await run { shop in
            let (ada, bob) = (try await shop.world.member(), try await shop.world.member())
            let old = Fixtures.otherSecret
            func renewal(_ id: String, _ end: String, of original: String = "1") throws -> String {
                try shop.transaction(
                    id, for: ada, until: end, ["originalTransactionId": original], secret: old)
            }
            // From when the secret was in force.
            try await shop.world.postgres.execute(
                """
                INSERT INTO focus_transactions (id, original_id, user_id, product_id, expires_at)
                VALUES ('2', '1', \(ada.id), \(FocusProTests.product), '2026-04-02T12:00:00Z')
                """)
            let first = try renewal("2", "2026-04-02T12:00:00Z")
            for _ in 0..<25 { #expect(try await shop.redeem(first, ada).status == 200) }
            let next = try await shop.redeem(try renewal("3", "2026-05-02T12:00:00Z"), ada)
            #expect(next.status == 200 && next.text("pro_until") == "2026-05-02T12:00:00Z", "\(next)")
            let other = try await shop.redeem(try renewal("4", "2026-06-02T12:00:00Z", of: "9"), ada)
            #expect(other.code == "invalid_receipt")
            let stolen = try await shop.redeem(try renewal("5", "2026-06-02T12:00:00Z"), bob)
            #expect(stolen.code == "invalid_receipt")
            #expect(try await shop.redeem(first, bob).code == "purchase_claimed")
        }
    }

    /// Guard: a refund ends Pro, for the purchase alone (`FocusProService.revoke`, `FocusProStore.refresh`)
    @Test("a refund ends Pro where no other purchase or grant lasts longer", arguments: [true, false])
    func refund(byNotification: Bool) async throws {
        try await run { shop in
            let ada = try await shop.world.member()
            let jws = try shop.transaction("1", for: ada)
            #expect(try await shop.redeem(jws, ada).status == 200)
            let month = try shop.transaction("2", for: ada, until: "2026-03-20T12:00:00Z")
            #expect(try await shop.redeem(month, ada).text("pro_until") == "2026-04-02T12:00:00Z")
            let back = try shop.revoked("1", for: ada)
            for type in ["REFUND_REVERSED", "DID_RENEW"] { try await shop.notify(type, about: back) }
            #expect(try await shop.end(ada) == "2026-04-02T12:00:00Z")
            if byNotification { try await shop.notify("REFUND", about: back) }
            for _ in 0..<2 {
                let answer = try await shop.redeem(back, ada)
                #expect(answer.status == 200 && answer.text("pro_until") == "2026-03-20T12:00:00Z")
            }
            #expect(try await shop.redeem(jws, ada).text("pro_until") == "2026-03-20T12:00:00Z")
            try await shop.notify("REVOKE", about: try shop.revoked("2", for: ada))
            #expect(try await shop.end(ada) == "null")
            #expect(
                try await FocusFeature.setPro(
                    shop.world.postgres, of: ada.id, until: .init(year: 2026, month: 3, day: 9)))
            #expect(try await shop.end(ada) == "2026-03-10T00:00:00Z")
            let next = try await shop.redeem(
                try shop.transaction("3", for: ada, until: "2026-03-05T12:00:00Z"), ada)
            #expect(next.text("pro_until") == "2026-03-10T00:00:00Z")
        }
    }

    /// Guard: a refunded transaction counts for nobody, after leaving too (`FocusProStore.isRemembered`)
    @Test("a transaction that was refunded counts for nobody, also after leaving and joining again")
    func refundedForGood() async throws {
        try await run { shop in
            let ada = try await shop.world.member()
            let (first, second) = (try shop.transaction("1", for: ada), try shop.transaction("2", for: ada))
            #expect(try await shop.redeem(first, ada).status == 200)
            #expect(try await shop.redeem(try shop.revoked("1", for: ada), ada).status == 200)
            try await shop.notify("REFUND", about: try shop.revoked("2", for: ada))
            #expect(try await shop.redeem(second, ada).code == "invalid_receipt")
            #expect(try await shop.world.call(.delete, "profile", as: ada).status == 204)
            #expect(
                try await shop.world.call(.put, "profile", as: ada, #"{"consent": "1"}"#).status == 200)
            for jws in [first, second] {
                #expect(try await shop.redeem(jws, ada).code == "invalid_receipt")
            }
            #expect(try await shop.end(ada) == "null")
        }
    }

    /// Guard: purchase and refund of a transaction run one after the other (`FocusProStore.lock`)
    @Test("a refund that comes while its purchase is being counted ends Pro")
    func refundAtOnce() async throws {
        try await run { shop in
            let ada = try await shop.world.member()
            let (jws, back) = (try shop.transaction("1", for: ada), try shop.revoked("1", for: ada))
            let postgres = shop.world.postgres
            // The purchase has looked for a refund, and waits before it is written.
            let (purchase, refund) = try await postgres.holding("LOCK TABLE focus_transactions IN SHARE MODE")
            {
                let purchase = Task { try await shop.redeem(jws, ada) }
                try await postgres.untilWaiting(1)
                let refund = Task { try await shop.notify("REFUND", about: back) }
                try await postgres.untilWaiting(2)
                return (purchase, refund)
            }
            #expect(try await purchase.value.text("pro_until") == "2026-04-02T12:00:00Z")
            try await refund.value
            #expect(try await shop.end(ada) == "null")
        }
    }

    /// Guard: a transaction counts for one account, and Pro never ends earlier by it
    /// (`FocusProService.count`, `FocusProStore.refresh`)
    @Test("a transaction counts for one account, of two calls at once too")
    func claimed() async throws {
        try await run { shop in
            let (ada, bob) = (try await shop.world.member(), try await shop.world.member())
            let signed = [(ada, try shop.transaction(for: ada)), (bob, try shop.transaction(for: bob))]
            let answers = try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
                for (person, jws) in signed { group.addTask { try await shop.redeem(jws, person) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.map(\.status).sorted() == [200, 409])
            #expect(answers.first { $0.status == 409 }?.code == "purchase_claimed")
        }
    }

    /// Guard: bad receipts are limited (`FocusProService.redeem`)
    @Test("after twenty bad receipts in an hour further calls are 429")
    func limit() async throws {
        try await run { shop in
            let (ada, bob) = (try await shop.world.member(), try await shop.world.member())
            for _ in 0..<20 { #expect(try await shop.redeem("nonsense", ada).status == 422) }
            let good = try shop.transaction(for: ada)
            let refused = try await shop.redeem(good, ada)
            #expect(refused.status == 429 && refused.header("RateLimit") != nil)
            #expect(try await shop.redeem("nonsense", bob).status == 422)
            try await shop.world.clock.advance(by: .hours(1))
            #expect(try await shop.redeem(good, ada).status == 200)
        }
    }
}
