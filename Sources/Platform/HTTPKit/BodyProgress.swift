import NIOCore

/// How a request's body comes along.
struct BodyProgress {
    /// Nil for a chunked one.
    private(set) var length: Int? = 0
    var awaitsContinue = false
    private(set) var received = 0
    private var receivedBeforeDrain = 0

    private let start = ContinuousClock.now
    /// How long the socket was asked for bytes and had none.
    private var waited: Duration = .zero
    private var waitingSince: ContinuousClock.Instant?

    init() {}

    init(length: Int?, awaitsContinue: Bool) {
        self.length = length
        self.awaitsContinue = awaitsContinue
    }

    /// Bytes since nobody wants them.
    var drained: Int { received - receivedBeforeDrain }

    /// Whether so little is left that reading it costs less than a new connection.
    var isWorthFinishing: Bool {
        guard let length, !awaitsContinue else { return false }
        return length - received <= 64 << 10
    }

    mutating func arrived(_ bytes: Int) {
        received += bytes
        waitEnded()
    }

    mutating func drainBegins() {
        receivedBeforeDrain = received
    }

    mutating func waitBegan() {
        // While the client waits for its 100, nobody waits for the client.
        if waitingSince == nil, !awaitsContinue { waitingSince = .now }
    }

    mutating func waitEnded() {
        guard let since = waitingSince else { return }
        waited += since.duration(to: .now)
        waitingSince = nil
    }

    func isTooSlow(_ options: HTTPServerOptions) -> Bool {
        let now = ContinuousClock.now
        if start.duration(to: now) >= options.bodyTimeout { return true }
        let waiting = waited + (waitingSince.map { $0.duration(to: now) } ?? .zero) - options.bodyGrace
        return waiting > .zero && Double(received) < Double(options.minBodyBytesPerSecond) * waiting.seconds
    }
}

/// One pending action on an event loop.
struct Deferred {
    private var scheduled: Scheduled<Void>?

    mutating func start(after delay: Duration, on eventLoop: any EventLoop, _ action: @escaping () -> Void) {
        cancel()
        scheduled = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay), action)
    }

    mutating func cancel() {
        scheduled?.cancel()
        scheduled = nil
    }
}
