/// Thrown when an operation was not done in time.
struct DeadlineExceeded: Error {}

/// Runs `body` and gives up at `deadline`: the body is cancelled and waited for, and ``DeadlineExceeded`` is
/// thrown. AsyncHTTPClient's own deadline ends with the response's head; this one covers the body too.
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
