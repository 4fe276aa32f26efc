import Resilience
import Testing

/// Guard: pauses after failures grow up to a longest one (`Backoff.pause`, `PeriodicJob.pause`)
@Suite("Pauses between attempts")
struct BackoffTests {
    @Test("a pause doubles with each failure in a row, up to the longest")
    func doubles() {
        let backoff = Backoff(first: .milliseconds(100), longest: .seconds(2))
        #expect(
            [1, 2, 3, 4, 5, 6, 60, Int.max].map { backoff.pause(afterFailures: $0, random: 0) }
                == [100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000].map { .milliseconds($0) })
    }

    @Test("jitter leaves out a random part of a pause, and no more than that part")
    func jitter() {
        let backoff = Backoff(first: .milliseconds(100), longest: .seconds(2), jitter: 0.75)
        #expect(backoff.pause(afterFailures: 1, random: 1) == .milliseconds(25))
        #expect(backoff.pause(afterFailures: 60, random: 1) == .milliseconds(500))
        for _ in 0..<100 {
            let pause = backoff.pause(afterFailures: 1)
            #expect(pause >= .milliseconds(25) && pause <= .milliseconds(100))
        }
    }
}
