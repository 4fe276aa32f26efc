import Foundation

/// The time as the library reads it. Rules about durations use ``monotonic``, so that setting the device's clock neither
/// ends a session nor prolongs a pause. Rules about moments that the service names use ``now``.
public protocol ClientClock: Sendable {
    /// The time since some moment. It goes on while the device sleeps.
    var monotonic: Duration { get }
    /// The wall clock.
    var now: Date { get }
    /// - Throws: `CancellationError`.
    func sleep(for duration: Duration) async throws
}

/// The device's clocks.
public struct SystemClock: ClientClock {
    private static let start = ContinuousClock.now

    public init() {}

    public var monotonic: Duration { ContinuousClock.now - Self.start }
    public var now: Date { Date() }

    public func sleep(for duration: Duration) async throws {
        try await Task.sleep(for: duration)
    }
}
