/// Limits the rate of an audit's requests to the store, and renews the audit's lease meanwhile.
actor AuditPace {
    private let pause: Duration?
    private let renew: @Sendable () async throws -> Void
    private var next = ContinuousClock.now
    private var renewedAt = ContinuousClock.now

    /// - Parameters:
    ///   - requestsPerSecond: nil for no limit.
    ///   - renew: called about every 15 s.
    init(requestsPerSecond: Int?, renew: @escaping @Sendable () async throws -> Void) {
        pause = requestsPerSecond.map { .seconds(1) / $0 }
        self.renew = renew
    }

    /// Waits until the audit may send another request to the store.
    func waitForRequest() async throws {
        if renewedAt.duration(to: .now) > .seconds(15) {
            renewedAt = .now
            try await renew()
        }
        guard let pause else { return }
        let now = ContinuousClock.now
        if next > now { try await Task.sleep(until: next) }
        // Unused requests do not accumulate.
        next = max(next, now) + pause
    }
}
