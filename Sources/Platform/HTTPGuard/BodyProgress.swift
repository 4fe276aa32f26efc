import NIOHTTP1

/// How much of a request's body has arrived, and how long the server has waited for it.
struct BodyProgress: Equatable {
    typealias Instant = ContinuousClock.Instant

    private static let framingAllowance = 16 << 10

    /// Nil for a chunked body.
    let length: Int?
    /// Whether the client waits for `100 Continue` before it sends the body.
    var awaitsContinue: Bool
    private(set) var received = 0
    private var receivedBeforeDrain = 0
    /// Bytes on the wire, with the sizes, extensions and line ends of a chunked body. Bytes that came together with the
    /// header are left out.
    private var framedBytes = 0

    private let start: Instant
    /// The time during which the server wanted bytes and had none.
    private var waited: Duration = .zero
    private var waitingSince: Instant?

    init(length: Int?, awaitsContinue: Bool, now: Instant) {
        self.length = length
        self.awaitsContinue = awaitsContinue
        start = now
    }

    init(of head: HTTPRequestHead, now: Instant) {
        self.init(
            length: RequestHeadRules.bodyLength(of: head),
            awaitsContinue: RequestHeadRules.expectsContinue(head), now: now)
    }

    var isEmpty: Bool { length == 0 }

    /// Bytes that were thrown away.
    var drained: Int { received - receivedBeforeDrain }

    /// Whether the rest is so short that reading it costs less than a new connection.
    var isWorthFinishing: Bool {
        guard let length, !awaitsContinue else { return false }
        return length - received <= 64 << 10
    }

    mutating func arrived(_ bytes: Int, now: Instant) {
        received += bytes
        // The client has stopped waiting for its 100.
        awaitsContinue = false
        waitEnded(now: now)
    }

    mutating func framedBytesArrived(_ bytes: Int) {
        framedBytes += bytes
    }

    /// Whether a chunked body is little else than framing (RFC 9112, 7.1.1: limit the chunk extensions). Chunks of a single
    /// byte pass.
    var hasTooMuchFraming: Bool {
        length == nil && framedBytes - received > Self.framingAllowance + 8 * received
    }

    mutating func drainBegins() {
        receivedBeforeDrain = received
    }

    mutating func waitBegan(now: Instant) {
        // While the client waits for its 100, the server does not wait for the client.
        if waitingSince == nil, !awaitsContinue { waitingSince = now }
    }

    mutating func waitEnded(now: Instant) {
        guard let since = waitingSince else { return }
        waited += since.duration(to: now)
        waitingSince = nil
    }

    func isTooSlow(_ options: HTTPServerOptions, now: Instant) -> Bool {
        if start.duration(to: now) >= options.bodyTimeout { return true }
        let waiting = waited + (waitingSince.map { $0.duration(to: now) } ?? .zero) - options.bodyGrace
        return waiting > .zero && Double(received) < minBytesPerSecond(options) * waiting.seconds
    }

    /// At least half the pace at which the body would arrive in time. The memory for a slower body would be held in vain.
    private func minBytesPerSecond(_ options: HTTPServerOptions) -> Double {
        let needed = Double(length ?? 0) / options.bodyTimeout.seconds / 2
        return max(Double(options.minBodyBytesPerSecond), needed)
    }
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
