import CompanionAPI
import CompanionRules
import DaylyAPI
import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import KeyDerivation
import StoreReceipts
import Testing

@testable import Companion

@Suite("Wallets and the ledger of Companion")
struct CompanionWalletTests {
    @Test("a new owner has nothing, and the token of their purchases")
    func empty() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.owner()
            let wallet = try await world.wallet(of: ada)
            #expect(wallet.energy == 0 && wallet.gems == 0)
            let token = AppAccountToken(secret: Fixtures.secret).make(for: ada.id.rawValue)
            #expect(wallet.appAccountToken == ResourceID(token))
            let page: CompanionLedgerPage = try await world.call(.get, "ledger", as: ada).decode()
            #expect(page.entries.isEmpty && page.cursor == nil)
        }
    }

    @Test("an award is one entry with the day as its reason, and a day pays once")
    func award() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.owner()
            let accounts = world.feature.accounts
            @Sendable func award() async throws {
                try await world.postgres.transaction { tx in
                    let owner = try accounts.requireLocked(tx, ada.id)
                    try CompanionWalletService.award(tx, to: owner, for: owner.day, 75)
                }
            }
            try await award()
            let entry = try #require(try await world.ledger(of: ada).first)
            #expect(entry.kind == "award" && entry.currency == "energy" && entry.amount == 75)
            #expect(entry.balance == 75 && entry.ref == "2026-03-02" && entry.at == world.clock.now)
            await #expect(throws: (any Error).self) { try await award() }
            #expect(try await world.wallet(of: ada).energy == 75)
        }
    }

    @Test("the ledger comes newest first, 50 a page, in the order of the entries also within a second")
    func pages() async throws {
        try await CompanionWorld.run { world in
            let (ada, bob) = (try await world.owner(), try await world.owner(name: "Bob"))
            for number in 1...120 {
                try await world.give(number, number % 2 == 0 ? .energy : .gems, to: ada)
                if number % 40 == 0 { try await world.clock.advance(by: .seconds(1)) }
            }
            var (entries, cursor): ([CompanionLedgerEntry], String?) = ([], nil)
            var sizes: [Int] = []
            repeat {
                let path = "ledger" + (cursor.map { "?cursor=\($0)" } ?? "")
                let page: CompanionLedgerPage = try await world.call(.get, path, as: ada).decode()
                entries += page.entries
                sizes.append(page.entries.count)
                cursor = page.cursor
                if let cursor {
                    let stolen = try await world.call(.get, "ledger?cursor=\(cursor)", as: bob)
                    world.expectProblem(stolen, 410, "cursor_expired")
                }
            } while cursor != nil
            #expect(sizes == [50, 50, 20])
            #expect(entries.map(\.amount) == (1...120).reversed())
            #expect(
                zip(entries, entries.dropFirst()).allSatisfy {
                    ($0.at, $0.id.description) > ($1.at, $1.id.description)
                })
            let strange = try await world.call(.get, "ledger?cursor=AAAA", as: ada)
            world.expectProblem(strange, 410, "cursor_expired")
        }
    }

    /// Guard: no entry of the ledger has an earlier time than the one before it (`CompanionWalletStore`)
    @Test("an entry of a transaction that began earlier and ends later has the time of the entry before it")
    func earlierTransaction() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper(energy: 100)
            let time = world.clock.now
            for second in 0..<6 {
                // The statements of the odd ones read the time at which an earlier transaction began.
                try await world.clock.set(to: time.addingTimeInterval(second % 2 == 0 ? 10 : 5))
                if second < 3 {
                    try await world.give(second + 1, .gems, to: ada)
                } else {
                    #expect(try await world.feed(ada, "kibble").status == 200)
                }
            }
            let entries = try await world.ledger(of: ada)
            #expect(entries.map(\.amount) == [-25, -25, -25, 3, 2, 1, 100])
            #expect(entries.prefix(6).allSatisfy { $0.at == time.addingTimeInterval(10) })
        }
    }

    /// Guard: a cursor of the ledger ends with the joining (`CompanionWalletService.ledger`)
    @Test("a cursor from before leaving has expired")
    func rejoined() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.owner()
            for _ in 0..<51 { try await world.give(1, .gems, to: ada) }
            let page: CompanionLedgerPage = try await world.call(.get, "ledger", as: ada).decode()
            let cursor = try #require(page.cursor)
            #expect(try await world.call(.delete, "settings", as: ada).status == 204)
            _ = try await world.call(.put, "settings", as: ada, #"{"consent": "1", "limit_minutes": 120}"#)
            let late = try await world.call(.get, "ledger?cursor=\(cursor)", as: ada)
            world.expectProblem(late, 410, "cursor_expired")
            #expect(try await world.wallet(of: ada).gems == 0)
        }
    }

    @Test("balances are the sums of the ledger after any mixture of calls at once")
    func sums() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper(energy: 200, gems: 300)
            try await world.live(ada, "UUU")
            _ = try await world.together(24) { number in
                switch number % 4 {
                case 0: try await world.feed(ada, "kibble")
                case 1: try await world.feed(ada, "feast")
                case 2: try await world.act("pet/cure", ada)
                default:
                    try await {
                        try await world.give(10, .gems, to: ada)
                        return try await world.call(.get, "wallet", as: ada)
                    }()
                }
            }
            let wallet = try await world.wallet(of: ada)
            let entries = try await world.ledger(of: ada)
            for (currency, balance) in [("energy", wallet.energy), ("gems", wallet.gems)] {
                let own = entries.filter { $0.currency == currency }
                #expect(own.reduce(0) { $0 + $1.amount } == balance)
                var sum = 0
                for entry in own.reversed() {
                    sum += entry.amount
                    #expect(entry.balance == sum && sum >= 0)
                }
            }
        }
    }

    @Test("a refund takes gems back also below 0, and nothing is sold for gems until they suffice")
    func debt() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper(gems: 100)
            try await world.live(ada, "UUU")
            _ = try await world.postgres.transaction { tx in
                try CompanionWallets.takeBack(
                    tx, CompanionPosting(500, .gems, .refund, ref: "1"), of: ada.id)
            }
            #expect(try await world.wallet(of: ada).gems == -400)
            try await world.give(519, .gems, to: ada)
            world.expectProblem(try await world.act("pet/cure", ada), 409, "not_enough_gems")
            try await world.give(1, .gems, to: ada)
            #expect(try await world.act("pet/cure", ada).status == 200)
            #expect(try await world.wallet(of: ada).gems == 0)
        }
    }
}
