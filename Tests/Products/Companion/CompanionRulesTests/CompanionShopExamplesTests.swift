import CompanionRules
import DeviceIntake
import Testing

@Suite("Recoveries and refunds by the contract's examples")
struct CompanionShopExamplesTests {
    @Test(
        "recovery",
        arguments: [
            (RecoveryKind.cure, [23 * 3_600], 3_600),
            (.cure, [24 * 3_600], nil),
            (.cure, [29, 19, 9, 4, 0].map { $0 * 86_400 + 86_399 }, 1),
            (.cure, [30, 20, 10, 5, 1].map { $0 * 86_400 }, nil),
            (.cure, [10, 8, 6, 4, 2].map { $0 * 86_400 }, 20 * 86_400),
            (.revive, [80, 40].map { $0 * 86_400 }, 10 * 86_400),
            (.revive, [168 * 3_600], nil),
            (.restart, [86_399], 1),
            (.restart, [86_400, 86_400 * 2], nil),
            (.cure, [], nil),
        ] as [(RecoveryKind, [Int], Int?)])
    func recovery(kind: RecoveryKind, ago: [Int], retryIn: Int?) {
        let now = 1_800_000_000
        let limits = Catalogue.defaults.terms(of: kind).limits
        #expect(limits.retryAt(earlier: ago.map { now - $0 }, now: now) == retryIn.map { now + $0 })
    }

    @Test("a restart is free from 30 days after the death on")
    func freeRestart() {
        let restart = Catalogue.defaults.restart
        let free = 1_000 + 30 * secondsPerDay
        #expect(restart.freeAt(diedAt: 1_000) == free)
        #expect(restart.freeAt(diedAt: nil) == nil)
        #expect(restart.gems(diedAt: 1_000, now: free - 1) == 200)
        #expect(restart.gems(diedAt: 1_000, now: free) == 0)
        #expect(Catalogue.defaults.revive.gems(diedAt: 1_000, now: free) == 400)
    }

    @Test(
        "refund",
        arguments: [
            (100, [80], 20, ["0"], 0),
            (500, [], 380, [], -120),
            (100, [30, 40], 30, ["1", "0"], 0),
            // The hat of 80 came before purchase B, so the caller does not name it.
            (100, [], 0, [], -100),
            (100, [80, 40], 80, ["1"], 20),
        ] as [(Int, [Int], Int, [String], Int)])
    func refund(credited: Int, prices: [Int], balance: Int, takenBack: [String], gems: Int) {
        let bought = prices.enumerated().map { GemCosmetic(id: "\($0)", gems: $1) }
        let effect = RefundEffect(credited: credited, gems: balance, boughtAfter: bought)
        #expect(effect.takenBack.map(\.id) == takenBack)
        #expect(effect.gems == gems)
    }
}
