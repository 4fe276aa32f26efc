import Resilience
import Testing

/// Guard: a provider has bounded places and pauses after failures (`PushLane`, `Breaker.state`)
@Suite("A circuit breaker")
struct BreakerTests {
    private let start = ContinuousClock.now

    @Test("failures in a row open it, the pause makes it half open, and a success closes it")
    func cycle() {
        var breaker = Breaker(maxFailures: 3, pause: .seconds(30))
        breaker.recordFailure(at: start)
        breaker.recordFailure(at: start)
        #expect(breaker.state(at: start) == .closed)
        breaker.recordFailure(at: start)
        #expect(breaker.state(at: start + .seconds(10)) == .open(remaining: .seconds(20)))
        #expect(breaker.state(at: start + .seconds(30)) == .halfOpen)
        breaker.recordSuccess()
        #expect(breaker.state(at: start + .seconds(30)) == .closed)
    }

    @Test("a success between failures starts the count again")
    func successResets() {
        var breaker = Breaker(maxFailures: 2, pause: .seconds(30))
        breaker.recordFailure(at: start)
        breaker.recordSuccess()
        breaker.recordFailure(at: start)
        #expect(breaker.state(at: start) == .closed)
    }

    @Test("one failure opens a half open breaker again, and a success closes an open one")
    func reopens() {
        var breaker = Breaker(maxFailures: 2, pause: .seconds(30))
        for _ in 1...2 { breaker.recordFailure(at: start) }
        breaker.recordFailure(at: start + .seconds(31))
        #expect(breaker.isOpen(at: start + .seconds(60)))
        #expect(!breaker.isOpen(at: start + .seconds(61)))
        breaker.recordFailure(at: start + .seconds(62))
        breaker.recordSuccess()
        #expect(breaker.state(at: start + .seconds(62)) == .closed)
    }

    @Test(
        "a pause that the provider asks for opens it after one failure, and leaves it closed after the pause")
    func requestedPause() {
        var breaker = Breaker(maxFailures: 5, pause: .seconds(30))
        breaker.recordFailure(at: start, pause: .seconds(90))
        #expect(breaker.state(at: start) == .open(remaining: .seconds(90)))
        #expect(breaker.state(at: start + .seconds(90)) == .closed)
    }

    @Test("its owner opens it at once, and it is half open after that pause")
    func opened() {
        var breaker = Breaker(maxFailures: 5, pause: .seconds(30))
        breaker.open(at: start, for: .seconds(60))
        #expect(breaker.state(at: start) == .open(remaining: .seconds(60)))
        #expect(breaker.state(at: start + .seconds(60)) == .halfOpen)
    }
}
