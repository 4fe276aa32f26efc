import NIOCore

/// One pending action on an event loop. Putting the action off or cancelling it is cheap, because the event loop is asked
/// again only if its timer fires too early. A connection does so several times for each request.
struct Deferred {
    /// The state that the event loop's timer finds when it fires.
    private final class Pending {
        var action: (() -> Void)?
        var due = NIODeadline.now()
        /// When the timer fires; nil while there is none.
        var firesAt: NIODeadline?
        var timer: Scheduled<Void>?
    }

    private let pending = Pending()

    /// Replaces the pending action.
    ///
    /// - Parameter step: the action waits until the clock is at a multiple of it, so that one turn of the event loop does
    ///   the work of many connections.
    func start(
        after delay: Duration, step: Duration? = nil, on eventLoop: any EventLoop,
        _ action: @escaping () -> Void
    ) {
        let due = Self.due(.now() + TimeAmount(delay), step)
        pending.action = action
        pending.due = due
        if let firesAt = pending.firesAt, firesAt <= due { return }
        pending.timer?.cancel()
        Self.schedule(pending, on: eventLoop)
    }

    /// Cancels the pending action. The event loop's timer stays for the next action.
    func cancel() {
        pending.action = nil
    }

    /// Cancels the pending action and the timer. Call this when no further action comes.
    func end() {
        pending.action = nil
        pending.timer?.cancel()
        pending.timer = nil
        pending.firesAt = nil
    }

    private static func due(_ due: NIODeadline, _ step: Duration?) -> NIODeadline {
        guard let step else { return due }
        let nanoseconds = UInt64(TimeAmount(step).nanoseconds)
        return .uptimeNanoseconds((due.uptimeNanoseconds / nanoseconds + 1) * nanoseconds)
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
