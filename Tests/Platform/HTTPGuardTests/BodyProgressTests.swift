import Testing

@testable import HTTPGuard

@Suite("The pace of a body")
struct BodyProgressTests {
    private let start = ContinuousClock.now

    private var options: HTTPServerOptions {
        var options = HTTPServerOptions()
        options.bodyGrace = .seconds(1)
        options.minBodyBytesPerSecond = 1_000
        return options
    }

    private func body(_ length: Int?, received: Int = 0) -> BodyProgress {
        var body = BodyProgress(length: length, awaitsContinue: false, now: start)
        body.waitBegan(now: start)
        if received > 0 { body.arrived(received, now: start) }
        body.waitBegan(now: start)
        return body
    }

    @Test("a body has a grace time and must then keep the minimum pace")
    func pace() {
        #expect(!body(nil).isTooSlow(options, now: start + .seconds(1)))
        #expect(body(nil).isTooSlow(options, now: start + .seconds(2)))
        #expect(!body(nil, received: 1_500).isTooSlow(options, now: start + .seconds(2)))
        #expect(body(nil, received: 1_500).isTooSlow(options, now: start + .seconds(3)))
    }

    @Test("a body must be complete within its time, however steadily it comes")
    func time() {
        #expect(!body(nil, received: 1 << 30).isTooSlow(options, now: start + .seconds(59)))
        #expect(body(nil, received: 1 << 30).isTooSlow(options, now: start + .seconds(60)))
    }

    /// Guard: a large body that cannot arrive in time is refused early (HTTPGuard
    /// `BodyProgress.minBytesPerSecond`)
    @Test("a large body that cannot be complete in time at its pace is refused early")
    func hopeless() {
        let received = 100_000
        #expect(body(10 << 20, received: received).isTooSlow(options, now: start + .seconds(5)))
        #expect(!body(1 << 20, received: received).isTooSlow(options, now: start + .seconds(5)))
    }

    @Test("the time before the server reads does not count")
    func unread() {
        var body = BodyProgress(length: nil, awaitsContinue: false, now: start)
        #expect(!body.isTooSlow(options, now: start + .seconds(50)))
        body.waitBegan(now: start + .seconds(50))
        body.waitEnded(now: start + .seconds(51))
        #expect(!body.isTooSlow(options, now: start + .seconds(55)))
    }

    @Test("while the client waits for its 100, the server does not wait for the client")
    func awaitsContinue() {
        var body = BodyProgress(length: 10, awaitsContinue: true, now: start)
        body.waitBegan(now: start)
        #expect(!body.isTooSlow(options, now: start + .seconds(30)))
        body.awaitsContinue = false
        body.waitBegan(now: start + .seconds(30))
        #expect(body.isTooSlow(options, now: start + .seconds(33)))
    }
}
