import Testing

@testable import RateLimiting

@Suite("The parts of the ceiling")
struct MessageSharesTests {
    /// Sends for one purpose after the other, in turns, until none has room.
    private func flood(_ shares: MessageShares, _ codes: [Int]) -> [Int: Int] {
        var sent: [Int: Int] = [:]
        var count = MessageCount()
        while true {
            let before = count.total
            for code in codes {
                count.toCallingCode = sent[code, default: 0]
                guard shares.room(for: .strangerCode(callingCode: code), beside: count) > 0 else { continue }
                count.total += 1
                count.strangers += 1
                sent[code, default: 0] += 1
            }
            if count.total == before { return sent }
        }
    }

    @Test(
        "the parts add up to the ceiling and never to more",
        arguments: [1, 2, 3, 4, 5, 12, 37, 41, 300, 10_000])
    func sums(ceiling: Int) {
        let shares = MessageShares(ceiling: ceiling, isDividedByCallingCode: false)
        let strangers = flood(shares, [1])[1] ?? 0
        #expect(strangers == shares.strangers)
        var count = MessageCount()
        count.total = strangers
        count.strangers = strangers
        let invitations = max(0, shares.room(for: .invitation, beside: count))
        count.total += invitations
        #expect(count.total <= ceiling)
        // The third that is kept.
        #expect(shares.room(for: .knownCode, beside: count) == ceiling - count.total)
        if ceiling > 3 { #expect(ceiling - count.total == ceiling / 3) }
    }

    /// Guard: the ceiling has parts: known pairs, invitations, calling codes (`MessageShares.room`)
    @Test(
        "however many calling codes are flooded, there is room for one that is not",
        arguments: [1, 2, 3, 20, 200])
    func callingCodes(flooded: Int) {
        let shares = MessageShares(ceiling: 10_000, isDividedByCallingCode: true)
        let sent = flood(shares, Array(1...flooded))
        let all = sent.values.reduce(0, +)
        let count = MessageCount(total: all, strangers: all)
        #expect(shares.room(for: .strangerCode(callingCode: 999), beside: count) > 0)
        // All but one part in (1 + 4n).
        #expect(all >= shares.strangers * 4 * flooded / (1 + 4 * flooded) - flooded)
    }

    @Test("the wait is until so many of the oldest messages have left that there is room")
    func waits() {
        var limits = MessageCeiling.Limits()
        limits.perMinute = 12
        let ceiling = MessageCeiling(limits: limits, enforced: true)
        let shares = MessageShares(ceiling: 12, isDividedByCallingCode: false)
        #expect(ceiling.shares(.minute).strangers == 5)
        let strangers = MessageCount(total: 3, strangers: 3)
        let known = MessageCount(total: 3)
        let count = MessageCount(total: 11, strangers: 6)
        let buckets = [
            MessageBucket(age: 50, count: known), MessageBucket(age: 40, count: strangers),
            MessageBucket(age: 10, count: strangers),
        ]
        let wait = MessageCeiling.wait(.minute, count, buckets) {
            shares.room(for: .strangerCode(callingCode: 1), beside: $0) > 0
        }
        #expect(wait == .seconds(61 - 40))
    }
}
