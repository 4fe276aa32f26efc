import NIOCore

/// How a request's body comes along.
struct BodyProgress {
    private static let framingAllowance = 16 << 10

    /// Nil for a chunked one.
    private(set) var length: Int? = 0
    var awaitsContinue = false
    private(set) var received = 0
    private var receivedBeforeDrain = 0
    /// Bytes on the wire, with a chunked body's sizes, extensions and line ends. The first ones, which came together with
    /// the header, are left out.
    private var framedBytes = 0

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
        return waiting > .zero && Double(received) < minBytesPerSecond(options) * waiting.seconds
    }

    /// Half the pace that its length needs to be there in time: who is slower only holds memory in vain.
    private func minBytesPerSecond(_ options: HTTPServerOptions) -> Double {
        let needed = Double(length ?? 0) / options.bodyTimeout.seconds / 2
        return max(Double(options.minBodyBytesPerSecond), needed)
    }
}

/// One pending action on an event loop. Putting it off or taking it back is cheap, since the event loop is asked again
/// only when its timer fires too early: a connection does so several times for each request.
struct Deferred {
    /// What the event loop's timer finds when it fires.
    private final class Pending {
        var action: (() -> Void)?
        var due = NIODeadline.now()
        /// When the timer fires; nil while there is none.
        var firesAt: NIODeadline?
        var timer: Scheduled<Void>?
    }

    private let pending = Pending()

    func start(after delay: Duration, on eventLoop: any EventLoop, _ action: @escaping () -> Void) {
        let due = NIODeadline.now() + TimeAmount(delay)
        pending.action = action
        pending.due = due
        if let firesAt = pending.firesAt, firesAt <= due { return }
        pending.timer?.cancel()
        Self.schedule(pending, on: eventLoop)
    }

    /// Nothing happens any more. The timer stays for the next action.
    func cancel() {
        pending.action = nil
    }

    /// There will be no next action.
    func end() {
        pending.action = nil
        pending.timer?.cancel()
        pending.timer = nil
        pending.firesAt = nil
    }

    private static func schedule(_ pending: Pending, on eventLoop: any EventLoop) {
        pending.firesAt = pending.due
        pending.timer = eventLoop.assumeIsolated().scheduleTask(deadline: pending.due) {
            pending.firesAt = nil
            pending.timer = nil
            guard let action = pending.action else { return }
            guard pending.due <= .now() else { return schedule(pending, on: eventLoop) }
            pending.action = nil
            action()
        }
    }
}
