/// Keeps an audit from asking the store more than it may, and its lease from running out meanwhile.
actor AuditPace {
    private let pause: Duration?
    private let renew: @Sendable () async throws -> Void
    private var next = ContinuousClock.now
    private var renewedAt = ContinuousClock.now

    /// - Parameter renew: called every 15 s or so.
    init(requestsPerSecond: Int?, renew: @escaping @Sendable () async throws -> Void) {
        pause = requestsPerSecond.map { .seconds(1) / $0 }
        self.renew = renew
    }

    /// Waits until the store may be asked once more.
    func turn() async throws {
        if renewedAt.duration(to: .now) > .seconds(15) {
            renewedAt = .now
            try await renew()
        }
        guard let pause else { return }
        let now = ContinuousClock.now
        if next > now { try await Task.sleep(until: next) }
        // What was not used is not saved up.
        next = max(next, now) + pause
    }
}
