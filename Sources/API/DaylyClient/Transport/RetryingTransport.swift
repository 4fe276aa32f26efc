import Foundation

/// Repeats idempotent requests that got no answer or were refused for a while.
package struct RetryingTransport: Sendable {
    package let transport: any HTTPTransport
    package let policy: RetryPolicy
    package let clock: any ClientClock

    package init(_ transport: any HTTPTransport, policy: RetryPolicy, clock: any ClientClock) {
        self.transport = transport
        self.policy = policy
        self.clock = clock
    }

    /// - Parameter prepare: makes the request anew before each attempt.
    /// - Returns: the last answer, whatever its status.
    package func send(
        isIdempotent: Bool, _ prepare: () async throws(DaylyError) -> TransportRequest
    ) async throws(DaylyError) -> TransportResponse {
        var attempt = 1
        while true {
            let outcome = try await outcome(of: prepare())
            guard isIdempotent, let pause = pause(after: outcome, attempt) else {
                return try outcome.get()
            }
            do { try await clock.sleep(for: pause) } catch { throw .cancelled }
            attempt += 1
        }
    }

    private func outcome(
        of request: TransportRequest
    ) async -> Result<TransportResponse, DaylyError> {
        do {
            return .success(try await transport.send(request))
        } catch {
            return .failure(DaylyError(error))
        }
    }

    private func pause(after outcome: Result<TransportResponse, DaylyError>, _ attempt: Int) -> Duration? {
        switch outcome {
        case .failure(.networkUnavailable):
            return policy.pause(afterAttempt: attempt, retryAfter: nil)
        case .success(let response) where RetryPolicy.isTransient(response.status):
            let seconds = response.headers.retryAfter.map { Duration.seconds($0) }
            return policy.pause(afterAttempt: attempt, retryAfter: seconds)
        default: return nil
        }
    }
}
