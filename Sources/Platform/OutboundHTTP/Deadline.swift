/// Thrown when an operation does not end in time.
struct DeadlineExceeded: Error {}

/// Runs `body` and gives up at `deadline`: cancels the body, waits for it to end, and throws ``DeadlineExceeded``.
func withDeadline<T: Sendable>(
    _ deadline: ContinuousClock.Instant, _ body: @escaping @Sendable () async throws -> T
) async throws -> T {
    try await withThrowingTaskGroup(of: T?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(until: deadline, clock: .continuous)
            return nil
        }
        defer { group.cancelAll() }
        guard let result = try await group.next() ?? nil else { throw DeadlineExceeded() }
        return result
    }
}
