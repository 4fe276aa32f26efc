import CompanionRules
import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import HTTPTypes
import KeyDerivation
import StoreReceipts
import StoreTesting
import Testing

@testable import Companion

/// Companion with an App Store of the test's own.
struct CompanionShopWorld: Sendable {
    let store: TestAppStore
    let world: CompanionWorld

    static func run(
        secrets: ServiceSecrets = Fixtures.secret.secrets, allowsSandbox: Bool = false,
        isTester: @escaping @Sendable (UUID) async throws -> Bool = { _ in false },
        _ body: @escaping @Sendable (CompanionShopWorld) async throws -> Void
    ) async throws {
        let store = try TestAppStore()
        let receipts = try store.verifier(allowsSandbox: allowsSandbox, secret: secrets, isTester: isTester)
        try await CompanionWorld.run(receipts: receipts) { world in
            try await body(CompanionShopWorld(store: store, world: world))
        }
    }

    // MARK: - The App Store

    /// A signed transaction of a user.
    func transaction(
        _ id: String = "1", for person: Person, _ product: String = "gems_100",
        _ members: [String: any Sendable] = [:], secret: some SecretSource = Fixtures.secret
    ) throws -> String {
        let all: [String: any Sendable] = [
            "transactionId": id, "productId": product,
            "appAccountToken": AppAccountToken(secret: secret).make(for: person.id.rawValue).uuidString,
        ]
        return try store.transaction(all.merging(members) { $1 })
    }

    /// The same transaction after the store has given the money back.
    func revoked(
        _ id: String = "1", for person: Person, _ product: String = "gems_100"
    ) throws -> String {
        try transaction(id, for: person, product, ["revocationDate": 1_772_445_600_000])
    }

    func redeem(_ jws: String, _ person: Person) async throws -> HTTPAnswer {
        try await world.call(.post, "purchases", as: person, #"{"signed_transaction": "\#(jws)"}"#)
    }

    /// The store tells the service something.
    func notify(_ payload: String) async throws -> HTTPAnswer {
        let somebody = try await world.person()
        return try await world.call(
            .post, "store-notifications", as: somebody, #"{"signedPayload": "\#(payload)"}"#)
    }

    func notifyRefund(of jws: String) async throws {
        let answer = try await notify(try store.notification("REFUND", about: jws))
        #expect(answer.status == 204, "\(answer)")
    }

    // MARK: - Things to buy

    func buy(
        _ id: String, for currency: String, _ person: Person, key: String? = UUID().uuidString
    ) async throws -> HTTPAnswer {
        var headers = HTTPFields()
        if let key { headers[HTTPField.Name("Idempotency-Key").unsafelyUnwrapped] = key }
        return try await world.call(
            .post, "cosmetics/\(id)", as: person, #"{"currency": "\#(currency)"}"#, headers: headers)
    }

    func give(_ amount: Int, _ currency: Currency, to person: Person) async throws {
        let ref = UUID().uuidString
        _ = try await world.postgres.transaction { tx in
            try CompanionWallets.credit(
                tx, CompanionPosting(amount, currency, .award, ref: ref), of: person.id)
        }
    }

    /// Pays for something that no refund takes back.
    func spend(_ amount: Int, _ kind: LedgerKind, ref: String, by person: Person) async throws {
        _ = try await world.postgres.transaction { tx in
            try CompanionWallets.spend(tx, CompanionPosting(amount, .gems, kind, ref: ref), of: person.id)
        }
    }

    func gems(_ person: Person) async throws -> Int {
        try await world.postgres.transaction { tx in try CompanionWallets.balances(tx, of: person.id) }.gems
    }

    /// The kinds, amounts and reasons of the ledger, the oldest first.
    func ledger(_ person: Person) async throws -> [String] {
        try await world.postgres.query(
            "SELECT kind, amount, ref FROM companion_ledger WHERE user_id = \(person.id) ORDER BY id"
        ).map {
            "\(try $0.get("kind", as: String.self)) \(try $0.get("amount", as: Int.self)) \(try $0.get("ref", as: String.self))"
        }
    }

    func owned(_ person: Person) async throws -> Set<String> {
        try await world.postgres.transaction { tx in try CompanionCosmeticStore.owned(tx, by: person.id) }
    }

    /// Puts a catalogue in force.
    func sell(_ change: @Sendable (inout Catalogue) -> Void) async throws {
        let current = try await world.postgres.transaction { tx in try CompanionCatalogueStore.current(tx) }
        var catalogue = current.catalogue
        change(&catalogue)
        let text = try CompanionCatalogueText.text(of: catalogue)
        let desk = CompanionCatalogueDesk(postgres: world.postgres)
        #expect(try await desk.propose(text, by: "Ada").violations == [])
        #expect(try await desk.approve(text, by: "Bob").violations == [])
    }
}

extension HTTPAnswer {
    /// A member of the answer's member `wallet`.
    func wallet(_ name: String) -> Int? {
        (members["wallet"] as? [String: any Sendable])?[name] as? Int
    }
}

/// Runs a call several times at once.
func atOnce(
    _ count: Int, _ call: @escaping @Sendable (Int) async throws -> HTTPAnswer
) async throws -> [HTTPAnswer] {
    try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
        for number in 0..<count { group.addTask { try await call(number) } }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}
