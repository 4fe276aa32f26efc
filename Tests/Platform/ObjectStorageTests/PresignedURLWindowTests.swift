import Foundation
import ObjectStorage
import Testing

@Suite("The window of a signed URL")
struct PresignedURLWindowTests {
    private func window(
        now: TimeInterval, lifetime: Duration = .seconds(3_600), objectExpiresAt: TimeInterval = 1e9
    ) -> PresignedURLWindow {
        PresignedURLWindow(
            now: Date(timeIntervalSince1970: now), maxLifetime: lifetime,
            objectExpiresAt: Date(timeIntervalSince1970: objectExpiresAt))
    }

    @Test("everybody within fifteen minutes gets the same URL, the next one differs")
    func sameWithin() {
        let first = window(now: 9_000)
        #expect(first.signedAt.timeIntervalSince1970 == 9_000)
        #expect(first.expiresAt.timeIntervalSince1970 == 12_600)
        #expect(window(now: 9_899.999) == first)
        #expect(window(now: 9_900) != first)
        #expect(window(now: 8_999.999) != first)
    }

    /// Guard: a signed URL ends with its object (`PresignedURLWindow`)
    @Test("never past the object's expiry, not by a fraction of a second")
    func objectExpiry() {
        let short = window(now: 9_100, objectExpiresAt: 9_500.9)
        #expect(short.expiresAt.timeIntervalSince1970 == 9_500)
        #expect(short.signedAt.timeIntervalSince1970 == 9_000)
    }

    @Test("in the object's last second, and after it, the URL is already over")
    func lastSecond() {
        for now in [9_500.2, 9_500.9, 9_600, 20_000] {
            let over = window(now: now, objectExpiresAt: 9_500.9)
            #expect(over.expiresAt.timeIntervalSince1970 == 9_500)
            #expect(over.signedAt < over.expiresAt)
        }
    }

    @Test(
        "small lifetimes make small windows",
        arguments: [1, 2, 3, 4, 5, 20, 60, 900, 3_600, 604_800] as [Int64])
    func smallLifetimes(lifetime: Int64) {
        var broken: [String] = []
        for step in 0..<1_000 {
            let now = 100_000 + Double(step) * 0.37
            let window = window(now: now, lifetime: .seconds(lifetime))
            let begin = window.signedAt.timeIntervalSince1970
            let end = window.expiresAt.timeIntervalSince1970
            if begin > now || begin != begin.rounded() { broken.append("begins wrongly at \(now)") }
            if end - begin != Double(lifetime) { broken.append("does not live its lifetime at \(now)") }
            if end <= now { broken.append("is over at \(now)") }
            if end - now < Double(lifetime) * 0.75 - 1 { broken.append("has too little left at \(now)") }
        }
        #expect(broken == [])
    }

    @Test("a lifetime of twenty seconds changes its URL every five")
    func twentySeconds() {
        let first = window(now: 1_000, lifetime: .seconds(20))
        #expect(window(now: 1_004.9, lifetime: .seconds(20)) == first)
        #expect(window(now: 1_005, lifetime: .seconds(20)) != first)
        #expect(first.expiresAt.timeIntervalSince1970 == 1_020)
    }

    @Test("a lifetime below a second counts as one")
    func belowASecond() {
        let window = window(now: 1_000.5, lifetime: .milliseconds(10))
        #expect(window.expiresAt.timeIntervalSince(window.signedAt) == 1)
    }

    @Test("dates before 1970 are no trap")
    func beforeTheEpoch() {
        let window = window(now: -1.5)
        #expect(window.signedAt.timeIntervalSince1970 == -900)
    }
}
